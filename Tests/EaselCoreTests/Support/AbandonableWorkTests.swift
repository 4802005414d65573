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

    @Test("beyond what may be left, leaving means waiting for the end of the call")
    func bound() {
        let full = AbandonableWork(AbandonmentLedger(mostJobs: 0, mostBytes: 100))
        let hasEnded = Mutex(false)
        #expect(throws: ImageError.cancelled) {
            try full.run(byteCount: 10, interruption: { .cancelled }) { isAbandoned in
                while !isAbandoned() {}
                hasEnded.withLock { $0 = true }
            }
        }
        #expect(hasEnded.withLock { $0 })
        #expect(full.jobCount == 0)
    }
}

@Suite("Work that was left to itself")
struct AbandonmentLedgerTests {
    @Test("is bounded in number")
    func number() {
        var ledger = AbandonmentLedger(mostJobs: 2, mostBytes: 1_000)
        let answers = (0..<3).map { _ in ledger.begin(1) }
        #expect(answers == [true, true, false])
        ledger.end(1)
        let again = ledger.begin(1)
        #expect(again)
    }

    @Test("is bounded in bytes, but for a single job")
    func bytes() {
        var ledger = AbandonmentLedger(mostJobs: 9, mostBytes: 1_000)
        let answers = [600, 401, 400, .max].map { ledger.begin($0) }
        #expect(answers == [true, false, true, false])
        ledger.end(600)
        ledger.end(400)
        let single = [.max, 1].map { ledger.begin($0) }
        #expect(single == [true, false])
        ledger.end(.max)
        #expect(ledger.byteCount == 0)
    }
}
