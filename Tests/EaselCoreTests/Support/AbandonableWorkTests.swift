import Dispatch
import Synchronization
import Testing

@testable import EaselCore

@Suite("Work that cannot be interrupted", .timeLimit(.minutes(1)))
struct AbandonableWorkTests {
    private let work = AbandonableWork(AbandonmentLedger(mostJobs: 1, mostBytes: 100))

    @Test("who waits gets what it gives, and what it throws")
    func outcome() throws {
        #expect(try work.run(byteCount: 10, interruption: { nil }) { _ in 42 } == 42)
        #expect(throws: ImageError.notCached) {
            try work.run(byteCount: 10, interruption: { nil }) { (_) throws(ImageError) -> Int in throw .notCached }
        }
        #expect(work.jobCount == 0)
    }

    @Test("who does not want to wait leaves with the reason, and the work goes on")
    func leaving() async {
        let gate = DispatchSemaphore(value: 0)
        let wasTold = Mutex(false)
        #expect(throws: ImageError.cancelled) {
            try work.run(byteCount: 10, interruption: { .cancelled }) { isAbandoned in
                gate.wait()
                wasTold.withLock { $0 = isAbandoned() }
            }
        }
        #expect(work.jobCount == 1)
        gate.signal()
        // It counts until its memory is given back.
        await eventually { work.jobCount == 0 }
        #expect(wasTold.withLock { $0 })
    }

    @Test("beyond what may be left, the next waits to begin, and leaves when it does not want to")
    func bound() async throws {
        let gate = DispatchSemaphore(value: 0)
        #expect(throws: ImageError.cancelled) {
            try work.run(byteCount: 10, interruption: { .cancelled }) { _ in gate.wait() }
        }
        #expect(throws: ImageError.tooLarge(.time(limit: .seconds(5)))) {
            try work.run(byteCount: 10, interruption: { .tooLarge(.time(limit: .seconds(5))) }) { _ in
                Issue.record("It has begun")
            }
        }
        gate.signal()
        #expect(try work.run(byteCount: 10, interruption: { nil }) { _ in 42 } == 42)
        #expect(work.jobCount == 0)
    }
}

@Suite("Work that was left to itself")
struct AbandonmentLedgerTests {
    @Test("is bounded in number")
    func number() {
        var ledger = AbandonmentLedger(mostJobs: 2, mostBytes: 1_000)
        let answers = (0..<3).map { _ in
            defer { ledger.begin(1) }
            return ledger.allows(1)
        }
        #expect(answers == [true, true, false])
        ledger.end(1)
        ledger.end(1)
        #expect(ledger.allows(1))
    }

    @Test("is bounded in bytes, but for a single job")
    func bytes() {
        var ledger = AbandonmentLedger(mostJobs: 9, mostBytes: 1_000)
        #expect(ledger.allows(.max))
        ledger.begin(600)
        #expect([401, 400, .max].map { ledger.allows($0) } == [false, true, false])
        // One that began before the other was left.
        ledger.begin(.max)
        #expect(!ledger.allows(1))
        ledger.end(.max)
        ledger.end(600)
        #expect(ledger.byteCount == 0)
        #expect(ledger.allows(.max))
    }
}
