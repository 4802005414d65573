import EaselTesting
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import EaselCodecs
@testable import EaselCore

@Suite("Work that cannot be interrupted", .timeLimit(.minutes(1)))
struct AbandonableWorkTests {
    private let work = AbandonableWork(AbandonmentLedger(maximumJobs: 1, maximumBytes: 100))

    @Test("a caller that waits gets the result or the error")
    func outcome() throws {
        #expect(try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { nil }) { _ in 42 } == 42)
        #expect(throws: ImageError.notCached) {
            try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { nil }) {
                (_) throws(ImageError) -> Int in throw .notCached
            }
        }
        #expect(work.jobCount == 0)
    }

    @Test("a caller that does not wait gets an error, and the work continues")
    func leaving() async throws {
        let gate = DispatchSemaphore(value: 0)
        let wasAbandoned = Mutex(false)
        #expect(throws: ImageError.cancelled) {
            try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { .cancelled }) { isAbandoned in
                gate.wait()
                wasAbandoned.withLock { $0 = isAbandoned() }
            }
        }
        #expect(work.jobCount == 1)
        gate.signal()
        // The job counts until its memory is released.
        try await until { work.jobCount == 0 }
        #expect(wasAbandoned.withLock { $0 })
    }

    @Test("at the limit of abandoned jobs, the next one waits to begin or throws")
    func bound() async throws {
        let gate = DispatchSemaphore(value: 0)
        #expect(throws: ImageError.cancelled) {
            try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { .cancelled }) { _ in gate.wait() }
        }
        #expect(throws: ImageError.tooLarge(.time(limit: .seconds(5)))) {
            try work.run(
                .svg, byteCount: 10, limit: .seconds(5), interruption: { .tooLarge(.time(limit: .seconds(5))) }
            ) { _ in
                Issue.record("It has begun")
            }
        }
        gate.signal()
        #expect(try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { nil }) { _ in 42 } == 42)
        #expect(work.jobCount == 0)
    }

    @Test(
        "when all abandoned jobs of a format exceed their time, its next job fails immediately and jobs of other formats start"
    )
    func stuck() async throws {
        let gate = DispatchSemaphore(value: 0)
        #expect(throws: ImageError.cancelled) {
            try work.run(.svg, byteCount: 10, limit: .zero, interruption: { .cancelled }) { _ in gate.wait() }
        }
        let error = #expect(throws: ImageError.self) {
            try work.run(.svg, byteCount: 10, limit: .seconds(5), interruption: { nil }) { _ in
                Issue.record("It has begun")
            }
        }
        #expect(error?.code == .unsupported)
        #expect(error?.description.contains("sandbox") == true)
        #expect(try work.run(.heic, byteCount: 10, limit: .seconds(5), interruption: { nil }) { _ in 42 } == 42)
        gate.signal()
        try await until { work.jobCount == 0 }
    }
}

@Suite("Abandoned work")
struct AbandonmentLedgerTests {
    private func job(_ byteCount: Int, _ format: ImageFormat = .svg, due: Duration = .zero) -> AbandonmentLedger.Job {
        .init(format: format, byteCount: byteCount, due: due)
    }

    @Test("abandoned jobs are limited in number, for each format")
    func number() {
        var ledger = AbandonmentLedger(maximumJobs: 2, maximumBytes: 1_000)
        let numbers = (0..<2).map { _ in ledger.begin(job(1)) }
        #expect(!ledger.allows(job(1)))
        #expect(ledger.allows(job(1, .heic)))
        ledger.end(numbers[0])
        #expect(ledger.allows(job(1)))
    }

    @Test("abandoned jobs are limited in bytes, except for a single one")
    func bytes() {
        var ledger = AbandonmentLedger(maximumJobs: 9, maximumBytes: 1_000)
        #expect(ledger.allows(job(.max)))
        let first = ledger.begin(job(600))
        #expect([401, 400, .max].map { ledger.allows(job($0)) } == [false, true, false])
        // A job that began before the other was abandoned.
        let second = ledger.begin(job(.max))
        #expect(!ledger.allows(job(1)))
        ledger.end(second)
        ledger.end(first)
        #expect(ledger.jobCount == 0)
        #expect(ledger.allows(job(.max)))
    }

    @Test("a format is stuck when all of its abandoned jobs have exceeded their time")
    func stuck() {
        var ledger = AbandonmentLedger(maximumJobs: 2, maximumBytes: 1_000)
        _ = ledger.begin(job(1, due: .seconds(1)))
        _ = ledger.begin(job(1, due: .seconds(2)))
        #expect(!ledger.isStuck(.svg, at: .seconds(1)))
        #expect(ledger.isStuck(.svg, at: .seconds(2)))
        #expect(!ledger.isStuck(.heic, at: .seconds(2)))
    }
}
