import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Coalescer: priority and updates", .timeLimit(.minutes(1)))
struct CoalescerUpdatesTests {
    private let coalescer = Coalescer<String, Int>()
    private let priorities = Recorder<LoadPriority>()
    private let release = Gate()

    @Test("a run always has the highest priority of its current subscribers (B60)")
    func priority() async throws {
        let (low, high) = (LoadRecorder(priority: .low), LoadRecorder(priority: .high))
        let first = wait(low)
        await priorities.wait(for: 1)
        let second = wait(high)
        await priorities.wait(for: 2)
        high.context.setPriority(.normal)
        await priorities.wait(for: 3)
        low.context.setPriority(.high)
        await priorities.wait(for: 4)
        low.context.setPriority(.low)
        await priorities.wait(for: 5)
        second.cancel()
        await priorities.wait(for: 6)
        #expect(priorities.events == [.low, .high, .normal, .high, .normal, .low])
        release.open()
        #expect(await first.value == 7)
    }

    @Test("a retry starts at the highest priority of the remaining subscribers (B60, B62)")
    func priorityOfRetry() async throws {
        let startPriorities = Recorder<LoadPriority>()
        let waits = [LoadPriority.low, .low, .high].map { LoadRecorder(priority: $0) }
        var tasks: [Task<Int?, Never>] = []
        for recorder in waits {
            tasks.append(
                Task { [coalescer, release] in
                    try? await coalescer.run("a", recorder.context) { context throws(ImageError) in
                        startPriorities.record(context.priority)
                        context.report(received: 0, expected: nil)
                        try? await release.wait()
                        throw ImageError.timedOut(.idle)
                    }.value
                })
            await recorder.waitForProgress()
        }
        release.open()
        for task in tasks { #expect(await task.value == nil) }
        #expect(startPriorities.events == [.low, .high])
    }

    @Test("progress reaches every subscriber, and a late one starts with the last progress (B61)")
    func progress() async throws {
        let (first, second) = (LoadRecorder(), LoadRecorder())
        let (more, started) = (Gate(), Gate())
        let operation: Coalescer<String, Int>.Operation = { [release] context throws(ImageError) in
            for received in 1...3 { context.report(received: received, expected: 5) }
            started.open()
            try? await more.wait()
            context.report(received: 4, expected: 5)
            try? await release.wait()
            return 7
        }
        let leader = Task { [coalescer] in try? await coalescer.run("a", first.context, operation).value }
        try await started.wait()
        let follower = Task { [coalescer] in try? await coalescer.run("a", second.context, operation).value }
        await second.waitForProgress()
        #expect(second.progress == [LoadProgress(received: 3, expected: 5)])
        more.open()
        await second.waitForProgress(2)
        release.open()
        #expect(await leader.value == 7)
        #expect(await follower.value == 7)
        #expect(first.progress.map(\.received) == [1, 2, 3, 4])
        #expect(second.progress.map(\.received) == [3, 4])
    }

    @Test("a late subscriber starts with the last preview (B61)")
    func preview() async throws {
        let (first, second) = (LoadRecorder(), LoadRecorder())
        let started = Gate()
        let preview = try TestImage.gradient(2, 2).image()
        let operation: Coalescer<String, Int>.Operation = { [release] context throws(ImageError) in
            context.report(.preview(preview))
            context.report(received: 1, expected: 2)
            started.open()
            try? await release.wait()
            return 7
        }
        let leader = Task { [coalescer] in try? await coalescer.run("a", first.context, operation).value }
        try await started.wait()
        let follower = Task { [coalescer] in try? await coalescer.run("a", second.context, operation).value }
        try await until { second.previews == 1 }
        release.open()
        #expect(await leader.value == 7)
        #expect(await follower.value == 7)
        #expect(second.progress.count == 1)
    }

    /// Subscribes to a run that records its priorities and ends when it is released.
    private func wait(_ recorder: LoadRecorder) -> Task<Int?, Never> {
        Task { [coalescer, priorities, release] in
            try? await coalescer.run("a", recorder.context) { context throws(ImageError) in
                try await context.observeDemand({ priorities.record(context.priority) }) {
                    () async throws(ImageError) in
                    try? await release.wait()
                }
                return 7
            }.value
        }
    }
}
