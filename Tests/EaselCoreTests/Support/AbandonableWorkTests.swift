import EaselTesting
import Dispatch
import Synchronization
import Testing

@testable import EaselCore

@Suite("Work that cannot be interrupted", .timeLimit(.minutes(1)))
struct AbandonableWorkTests {
    private let work = AbandonableWork(AbandonmentLedger(maximumJobs: 1, maximumBytes: 100))

    @Test("a caller that waits gets the result or the error")
    func outcome() throws {
        #expect(try work.run(byteCount: 10, interruption: { nil }) { _ in 42 } == 42)
        #expect(throws: ImageError.notCached) {
            try work.run(byteCount: 10, interruption: { nil }) { (_) throws(ImageError) -> Int in throw .notCached }
        }
        #expect(work.jobCount == 0)
    }

    @Test("a caller that does not wait gets an error, and the work continues")
    func leaving() async throws {
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
        // The job counts until its memory is released.
        try await until { work.jobCount == 0 }
        #expect(wasTold.withLock { $0 })
    }

    @Test("at the limit of abandoned jobs, the next one waits to begin or throws")
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

@Suite("Abandoned work")
struct AbandonmentLedgerTests {
    @Test("abandoned jobs are limited in number")
    func number() {
        var ledger = AbandonmentLedger(maximumJobs: 2, maximumBytes: 1_000)
        let answers = (0..<3).map { _ in
            defer { ledger.begin(1) }
            return ledger.allows(1)
        }
        #expect(answers == [true, true, false])
        ledger.end(1)
        ledger.end(1)
        #expect(ledger.allows(1))
    }

    @Test("abandoned jobs are limited in bytes, except for a single one")
    func bytes() {
        var ledger = AbandonmentLedger(maximumJobs: 9, maximumBytes: 1_000)
        #expect(ledger.allows(.max))
        ledger.begin(600)
        #expect([401, 400, .max].map { ledger.allows($0) } == [false, true, false])
        // A job that began before the other was abandoned.
        ledger.begin(.max)
        #expect(!ledger.allows(1))
        ledger.end(.max)
        ledger.end(600)
        #expect(ledger.byteCount == 0)
        #expect(ledger.allows(.max))
    }
}
