import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Load progress and priority")
struct LoadProgressTests {
    @Test(
        "the fraction is 0 while the total is unknown, and never over 1 (B79)",
        arguments: [
            (0, 10, 0.0), (5, 10, 0.5), (10, 10, 1), (25, 10, 1), (5, nil, 0), (0, 0, 0), (5, 0, 0), (5, -1, 0),
        ]
            as [(Int, Int?, Double)])
    func fraction(received: Int, expected: Int?, fraction: Double) {
        #expect(LoadProgress(received: received, expected: expected).fraction == fraction)
    }

    @Test("a priority observer is called at once and for each change, but not after its body has ended")
    func priority() async throws {
        let context = LoadContext(priority: .low) { _ in }
        let priorities = Recorder<LoadPriority>()
        try await context.observeDemand({ priorities.record(context.priority) }) { () async throws(ImageError) in
            context.setPriority(.high)
            context.setPriority(.high)
            context.setPriority(.normal)
        }
        context.setPriority(.low)
        #expect(priorities.events == [.low, .high, .normal])
        #expect(context.priority == .low)
    }

    @Test("after concurrent changes, an observer has seen the last one")
    func crossing() async throws {
        for _ in 0..<50 {
            let context = LoadContext(priority: .normal) { _ in }
            let priorities = Recorder<LoadPriority>()
            try await context.observeDemand({ priorities.record(context.priority) }) { () async throws(ImageError) in
                await withTaskGroup { group in
                    for priority in LoadPriority.allCases { group.addTask { context.setPriority(priority) } }
                }
            }
            #expect(priorities.events.last == context.priority)
        }
    }
}
