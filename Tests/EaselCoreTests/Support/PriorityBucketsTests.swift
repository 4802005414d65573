import Testing

@testable import EaselCore

@Suite("Priority buckets")
struct PriorityBucketsTests {
    @Test("elements leave by priority, then in the order of arrival, and empty buckets return nil")
    func order() {
        var buckets = PriorityBuckets<Int>()
        for (number, priority) in [TaskPriority.low, .high, .medium, .low, .high, .medium].enumerated() {
            buckets.append(number, priority)
        }
        #expect(buckets.popFirst() == 1)
        // A later element of higher priority precedes the others.
        buckets.append(6, .high)
        #expect((0..<6).map { _ in buckets.popFirst() } == [4, 6, 2, 5, 0, 3])
        #expect(buckets.popFirst() == nil)
    }

    @Test(
        "there are three levels, and other priorities belong to the next lower one",
        arguments: [
            (TaskPriority.userInitiated, 0), (TaskPriority(rawValue: 33), 0), (.medium, 1),
            (TaskPriority(rawValue: 24), 1),
            (.utility, 2), (.background, 2),
        ])
    func levels(priority: TaskPriority, bucket: Int) {
        var buckets = PriorityBuckets<TaskPriority?>()
        // One earlier element of each level precedes it.
        for level in [TaskPriority.high, .medium, .low] { buckets.append(nil, level) }
        buckets.append(priority, priority)
        for _ in 0...bucket { #expect(buckets.popFirst() == .some(nil)) }
        #expect(buckets.popFirst() == priority)
    }
}
