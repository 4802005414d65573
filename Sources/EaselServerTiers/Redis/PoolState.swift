#if Server
/// The connections to one server and the calls that wait for one.
///
/// A pure value: each event returns the actions that follow from it. Connections have numbers, so that a late event of
/// a connection cannot reach a later one. Calls are pipelined: a call uses the connection with the fewest calls, and
/// while all are in use another connection is opened. Only one is opened at a time.
struct PoolState<Call, Connection> {
    enum Action {
        /// Open a connection, and call `didOpen` or `didFailToOpen`.
        case open(Int)
        /// Send a call, and call `didFinish`.
        case send(Call, Connection, number: Int)
        case fail(Call, TierError)
        case close(Connection)
    }

    private struct Entry {
        let connection: Connection
        var callCount = 0
    }

    private let size: Int
    private let callsPerConnection: Int
    private var entries: [Int: Entry] = [:]
    private var opening: Int?
    private var waiting: [Call] = []
    private var lastNumber = 0
    private var isShutDown = false

    init(size: Int, callsPerConnection: Int) {
        self.size = max(1, size)
        self.callsPerConnection = max(1, callsPerConnection)
    }

    /// The number of open connections.
    var connectionCount: Int { entries.count }

    /// Sends a call, or lets it wait for the first connection.
    mutating func submit(_ call: Call) -> [Action] {
        guard !isShutDown else { return [.fail(call, .shutDown)] }
        let best = entries.min { ($0.value.callCount, $0.key) < ($1.value.callCount, $1.key) }
        var actions: [Action] = []
        if best?.value.callCount != 0, opening == nil, entries.count < size { actions.append(open()) }
        if let best {
            guard best.value.callCount < callsPerConnection else { return actions + [.fail(call, Self.busy)] }
            return actions + [send(call, best.key, best.value.connection)]
        }
        guard waiting.count < callsPerConnection else { return actions + [.fail(call, Self.busy)] }
        waiting.append(call)
        return actions
    }

    mutating func didOpen(_ number: Int, _ connection: Connection) -> [Action] {
        guard opening == number else { return [.close(connection)] }
        opening = nil
        entries[number] = Entry(connection: connection)
        let calls = waiting
        waiting = []
        var actions: [Action] = []
        for call in calls { actions.append(send(call, number, connection)) }
        return actions
    }

    mutating func didFailToOpen(_ number: Int, _ error: TierError) -> [Action] {
        guard opening == number else { return [] }
        opening = nil
        defer { waiting = [] }
        return waiting.map { .fail($0, error) }
    }

    /// Records that a call has its replies or has failed.
    mutating func didFinish(_ number: Int) { entries[number]?.callCount -= 1 }

    /// Records that a connection is closed. Its calls have failed.
    mutating func didClose(_ number: Int) { entries[number] = nil }

    /// Closes all connections. Later calls fail.
    mutating func shutDown() -> [Action] {
        isShutDown = true
        defer {
            waiting = []
            entries = [:]
            opening = nil
        }
        return waiting.map { .fail($0, .shutDown) } + entries.values.map { .close($0.connection) }
    }

    private mutating func open() -> Action {
        lastNumber += 1
        opening = lastNumber
        return .open(lastNumber)
    }

    private mutating func send(_ call: Call, _ number: Int, _ connection: Connection) -> Action {
        entries[number]?.callCount += 1
        return .send(call, connection, number: number)
    }

    private static var busy: TierError { TierError(.busy, "Too many calls wait for the server.") }
}
#endif
