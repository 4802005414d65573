import Testing

@testable import EaselSandbox

@Suite("Sandbox: pool of workers")
struct SandboxPoolStateTests {
    private var pool = SandboxPoolState(capacity: 2, idleTime: .seconds(30))

    @Test("workers are started up to the capacity; further callers wait")
    mutating func capacity() {
        let decisions = (0..<3).map { _ in pool.acquire(.raster, at: .zero) }
        #expect(decisions == [.start(1, closing: nil), .start(2, closing: nil), .wait])
    }

    @Test("released workers are used again, the most recently used first")
    mutating func reuse() {
        for _ in 0..<2 { _ = pool.acquire(.raster, at: .zero) }
        pool.release(2, at: .seconds(1))
        pool.release(1, at: .seconds(2))
        #expect(pool.acquire(.raster, at: .seconds(3)) == .use(1))
        #expect(pool.acquire(.raster, at: .seconds(3)) == .use(2))
    }

    @Test("at capacity, an idle worker of another kind is closed for a new one")
    mutating func kinds() {
        for _ in 0..<2 { _ = pool.acquire(.raster, at: .zero) }
        #expect(pool.acquire(.drawing, at: .zero) == .wait)
        pool.release(2, at: .zero)
        #expect(pool.acquire(.drawing, at: .zero) == .start(3, closing: 2))
        #expect(pool.count == 2)
    }

    @Test("a worker with state is preferred, even if it is busy")
    mutating func preference() {
        for _ in 0..<2 { _ = pool.acquire(.raster, at: .zero) }
        pool.release(2, at: .zero)
        #expect(pool.acquire(.raster, preferring: 1, at: .zero) == .wait)
        pool.release(1, at: .zero)
        #expect(pool.acquire(.raster, preferring: 1, at: .zero) == .use(1))
        pool.remove(1)
        #expect(pool.acquire(.raster, preferring: 1, at: .zero) == .use(2))
    }

    @Test("idle workers end after the idle time, busy ones do not")
    mutating func idleTime() {
        for _ in 0..<2 { _ = pool.acquire(.raster, at: .zero) }
        pool.release(1, at: .seconds(10))
        #expect(pool.sweep(at: .seconds(39)).removed == [])
        #expect(pool.sweep(at: .seconds(40)).removed == [1])
        #expect(pool.sweep(at: .seconds(1_000)).hasRemaining)
        pool.release(2, at: .seconds(1_000))
        #expect(!pool.sweep(at: .seconds(1_030)).hasRemaining)
    }

    @Test("ten crashes in a minute delay the next start, longer with each crash")
    mutating func crashes() {
        var pauses: [SandboxPoolState.Decision] = []
        for _ in 0..<12 {
            // The pause is at most two seconds.
            let decision = pool.acquire(.raster, at: .seconds(2))
            if case .start(let number, _) = decision { pool.removeCrashed(number, at: .zero) }
            pauses.append(pool.acquire(.raster, at: .zero))
            if case .start(let number, _) = pauses.last { pool.remove(number) }
        }
        #expect(pauses[8] == .start(17, closing: nil) || pauses[8] == .start(18, closing: nil))
        #expect(pauses[9] == .pause(.milliseconds(62.5)))
        #expect(pauses[10] == .pause(.milliseconds(125)))
    }

    @Test("crashes older than a minute do not delay starts")
    mutating func forgotten() {
        for _ in 0..<10 {
            if case .start(let number, _) = pool.acquire(.raster, at: .zero) { pool.removeCrashed(number, at: .zero) }
        }
        guard case .pause = pool.acquire(.raster, at: .zero) else {
            Issue.record("The worker started immediately")
            return
        }
        guard case .start = pool.acquire(.raster, at: .seconds(61)) else {
            Issue.record("The worker did not start")
            return
        }
    }
}
