import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Admission", .timeLimit(.minutes(1)))
struct AdmissionTests {
    @Test("the limit is never exceeded, and every operation runs (B68)", arguments: [1, 2, 7])
    func limit(limit: Int) async throws {
        let admission = Admission(PriorityQueue(limit: limit))
        let changes = Recorder<Int>()
        await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    try? await admission.run(LoadRecorder().context) { _ throws(ImageError) in
                        changes.record(1)
                        await Task.yield()
                        changes.record(-1)
                    }
                }
            }
        }
        var running = 0
        var most = 0
        for change in changes.events {
            running += change
            most = max(most, running)
        }
        #expect(changes.events.count == 200)
        #expect(most <= limit)
        #expect(admission.runningCount == 0 && admission.waitingCount == 0)
    }

    @Test("an operation that throws frees its slot and rethrows its error (B68)")
    func throwing() async {
        let admission = Admission(PriorityQueue(limit: 1))
        for _ in 0..<3 {
            await #expect(throws: ImageError.status(404)) {
                try await admission.run(LoadRecorder().context) { _ throws(ImageError) in throw .status(404) }
            }
        }
        #expect(admission.runningCount == 0)
    }

    @Test("an operation cancelled before its admission never runs, and no slot is lost (B70, X137)")
    func cancelled() async throws {
        let admission = Admission(PriorityQueue(limit: 1))
        let (holding, release) = (Gate(), Gate())
        let occupant = Task {
            try await admission.run(LoadRecorder().context) { _ throws(ImageError) in
                holding.open()
                try? await release.wait()
            }
        }
        try await holding.wait()
        let runs = Recorder<Int>()
        for number in 0..<300 {
            let waiter = Task { () async -> ImageError? in
                do throws(ImageError) {
                    try await admission.run(LoadRecorder().context) { _ throws(ImageError) in runs.record(number) }
                    return nil
                } catch {
                    return error
                }
            }
            // Some are cancelled before they wait, others while they wait.
            if number % 2 == 0 { await Task.yield() }
            waiter.cancel()
            #expect(await waiter.value == .cancelled)
        }
        #expect(runs.events.isEmpty)
        #expect(admission.waitingCount == 0 && admission.runningCount == 1)
        release.open()
        try await occupant.value
        try await admission.run(LoadRecorder().context) { _ throws(ImageError) in runs.record(-1) }
        #expect(runs.events == [-1])
    }

    @Test("a cancellation during admission loses no slot")
    func crossing() async throws {
        let admission = Admission(PriorityQueue(limit: 2))
        await withTaskGroup { group in
            for number in 0..<400 {
                let waiter = Task {
                    try? await admission.run(LoadRecorder().context) { _ throws(ImageError) in await Task.yield() }
                }
                group.addTask { _ = await waiter.value }
                if number % 3 != 0 { group.addTask { waiter.cancel() } }
            }
        }
        #expect(admission.runningCount == 0 && admission.waitingCount == 0)
    }

    @Test("waiting operations are admitted by their current priority (P023, B69)")
    func livePriority() async throws {
        let admission = Admission(PriorityQueue(limit: 1))
        admission.isSuspended = true
        let order = Recorder<String>()
        let contexts = ["a", "b", "c"].map { (name: $0, context: LoadRecorder(priority: .normal).context) }
        try await withThrowingTaskGroup { group in
            for (name, context) in contexts {
                group.addTask {
                    try? await admission.run(context) { _ throws(ImageError) in order.record(name) }
                }
            }
            try await until { admission.waitingCount == 3 }
            contexts[0].context.setPriority(.low)
            contexts[2].context.setPriority(.high)
            admission.isSuspended = false
        }
        #expect(order.events == ["c", "b", "a"])
    }

    @Test("a suspended queue starts nothing, and a limit raised meanwhile applies when it resumes (B71)")
    func suspended() async throws {
        let admission = Admission(PriorityQueue(limit: 1))
        admission.isSuspended = true
        let (started, release) = (Recorder<Int>(), Gate())
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                group.addTask {
                    try? await admission.run(LoadRecorder().context) { _ throws(ImageError) in
                        started.record(number)
                        try? await release.wait()
                    }
                }
            }
            try await until { admission.waitingCount == 4 }
            #expect(started.events.isEmpty)
            admission.limit = 3
            #expect(admission.runningCount == 0)
            admission.isSuspended = false
            #expect(admission.runningCount == 3 && admission.waitingCount == 1)
            await started.wait(for: 3)
            release.open()
        }
        #expect(started.events.count == 4)
    }
}
