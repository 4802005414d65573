import Testing

@testable import EaselCore

@Suite("Priority buckets")
struct PriorityBucketsTests {
    @Test("give the highest priority first, and of one priority what came first, and nothing once they are empty")
    func order() {
        var buckets = PriorityBuckets<Int>()
        for (number, priority) in [TaskPriority.low, .high, .medium, .low, .high, .medium].enumerated() {
            buckets.append(number, priority)
        }
        #expect(buckets.popFirst() == 1)
        // What comes later and is more urgent precedes the others.
        buckets.append(6, .high)
        #expect((0..<6).map { _ in buckets.popFirst() } == [4, 6, 2, 5, 0, 3])
        #expect(buckets.popFirst() == nil)
    }

    @Test(
        "have three levels, and all other priorities belong to the level below",
        arguments: [
            (TaskPriority.userInitiated, 0), (TaskPriority(rawValue: 33), 0), (.medium, 1),
            (TaskPriority(rawValue: 24), 1),
            (.utility, 2), (.background, 2),
        ])
    func levels(priority: TaskPriority, place: Int) {
        var buckets = PriorityBuckets<TaskPriority?>()
        // One of each level that came before goes before it.
        for level in [TaskPriority.high, .medium, .low] { buckets.append(nil, level) }
        buckets.append(priority, priority)
        for _ in 0...place { #expect(buckets.popFirst() == .some(nil)) }
        #expect(buckets.popFirst() == priority)
    }
}
