#if Server
import Testing

@testable import EaselServerTiers

@Suite("Pool of connections")
struct PoolStateTests {
    private typealias Pool = PoolState<String, Character>
    private var pool = Pool(size: 2, callsPerConnection: 2)

    private func text(_ actions: [Pool.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .open(let number): "open \(number)"
            case .send(let call, let connection, let number): "send \(call) on \(connection)\(number)"
            case .fail(let call, let error): "fail \(call): \(error.code)"
            case .close(let connection): "close \(connection)"
            }
        }
    }

    @Test("the first call opens a connection, and others wait for it")
    mutating func first() {
        #expect(text(pool.submit("a")) == ["open 1"])
        #expect(text(pool.submit("b")) == [])
        #expect(text(pool.didOpen(1, "X")) == ["send a on X1", "send b on X1"])
    }

    @Test("more calls than the limit are refused")
    mutating func busy() {
        _ = pool.submit("a")
        _ = pool.submit("b")
        #expect(text(pool.submit("c")) == ["fail c: busy"])
        _ = pool.didOpen(1, "X")
        #expect(text(pool.submit("d")) == ["open 2", "fail d: busy"])
    }

    @Test("a call while all connections are in use opens another, and does not wait for it")
    mutating func grows() {
        _ = pool.submit("a")
        _ = pool.didOpen(1, "X")
        #expect(text(pool.submit("b")) == ["open 2", "send b on X1"])
        _ = pool.didOpen(2, "Y")
        #expect(text(pool.submit("c")) == ["send c on Y2"])
        pool.didFinish(1)
        pool.didFinish(1)
        #expect(text(pool.submit("d")) == ["send d on X1"])
        #expect(pool.connectionCount == 2)
    }

    @Test("calls fail if no connection can be opened, and the next call tries again")
    mutating func fails() {
        _ = pool.submit("a")
        _ = pool.submit("b")
        let error = TierError(.unreachable, "")
        #expect(text(pool.didFailToOpen(1, error)) == ["fail a: unreachable", "fail b: unreachable"])
        #expect(text(pool.submit("c")) == ["open 2"])
    }

    @Test("a closed connection is replaced, and its late events have no effect")
    mutating func closed() {
        _ = pool.submit("a")
        _ = pool.didOpen(1, "X")
        pool.didClose(1)
        pool.didFinish(1)
        #expect(text(pool.submit("b")) == ["open 2"])
        #expect(text(pool.didOpen(2, "Y")) == ["send b on Y2"])
    }

    @Test("shutting down closes open connections and those that open later")
    mutating func shutDown() {
        _ = pool.submit("a")
        _ = pool.didOpen(1, "X")
        _ = pool.submit("b")
        #expect(text(pool.shutDown()) == ["close X"])
        #expect(text(pool.didOpen(2, "Y")) == ["close Y"])
        #expect(text(pool.submit("c")) == ["fail c: shutDown"])
    }

    @Test("shutting down fails the calls that wait")
    mutating func shutDownWaiting() {
        _ = pool.submit("a")
        #expect(text(pool.shutDown()) == ["fail a: shutDown"])
        #expect(text(pool.didFailToOpen(1, .shutDown)) == [])
    }
}

@Suite("Pipeline")
struct PipelineTests {
    @Test("replies belong to calls in the order of sending")
    func order() throws {
        var pipeline = Pipeline<String>()
        pipeline.send("a", count: 2, deadline: .seconds(1))
        pipeline.send("b", count: 1, deadline: .seconds(2))
        #expect(pipeline.nextDeadline == .seconds(1))
        #expect(try pipeline.receive(.integer(1)) == nil)
        let first = try #require(try pipeline.receive(.integer(2)))
        #expect(first.waiter == "a" && first.replies == [.integer(1), .integer(2)])
        #expect(pipeline.nextDeadline == .seconds(2))
        #expect(try pipeline.receive(.null)?.waiter == "b")
        #expect(pipeline.nextDeadline == nil)
    }

    @Test("a reply without a command is an error")
    func unexpected() {
        var pipeline = Pipeline<String>()
        #expect(throws: TierError.self) { try pipeline.receive(.null) }
    }

    @Test("removing all calls returns them")
    func removeAll() throws {
        var pipeline = Pipeline<String>()
        pipeline.send("a", count: 1, deadline: .zero)
        pipeline.send("b", count: 1, deadline: .zero)
        #expect(pipeline.removeAll() == ["a", "b"])
        #expect(pipeline.nextDeadline == nil)
    }
}
#endif
