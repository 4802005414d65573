import Synchronization

/// What a piece of work is told and tells: how urgent it is now, and how far it is.
public final class LoadContext: Sendable {
    private struct State {
        var priority: LoadPriority
        var observers: [Int: @Sendable () -> Void] = [:]
        var nextObserver = 0
    }

    private let state: Mutex<State>
    private let deliver: @Sendable (LoadUpdate) -> Void

    init(priority: LoadPriority, deliver: @escaping @Sendable (LoadUpdate) -> Void) {
        state = Mutex(State(priority: priority))
        self.deliver = deliver
    }

    /// How urgent the work is now: the highest priority of those who wait for it.
    public var priority: LoadPriority {
        state.withLock { $0.priority }
    }

    /// Tells all who wait how many bytes have come; `expected` is `nil` where the server does not say.
    public func report(received: Int, expected: Int?) {
        deliver(.progress(LoadProgress(received: received, expected: expected)))
    }

    func report(_ update: LoadUpdate) {
        deliver(update)
    }

    func setPriority(_ priority: LoadPriority) {
        let observers = state.withLock { state in
            guard state.priority != priority else { return [@Sendable () -> Void]() }
            state.priority = priority
            return Array(state.observers.values)
        }
        for observe in observers { observe() }
    }

    /// Calls `observe` now and after each change of the priority, while `body` runs.
    ///
    /// It is not told the priority but reads it: calls of two changes may cross, and then both have to find the later one.
    func observingPriority<Value>(
        _ observe: @escaping @Sendable () -> Void, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers[state.nextObserver] = observe
            return state.nextObserver
        }
        defer { state.withLock { _ = $0.observers.removeValue(forKey: number) } }
        observe()
        return try await body()
    }
}

/// How many bytes of a picture have come.
public struct LoadProgress: Sendable, Hashable {
    /// Bytes so far.
    public var received: Int
    /// Bytes in all, where the server says.
    public var expected: Int?

    /// From 0 to 1; 0 while the total is unknown, 1 when more came than was announced (B79).
    public var fraction: Double {
        guard let expected, expected > 0 else { return 0 }
        return min(1, Double(received) / Double(expected))
    }

    /// So many bytes of so many.
    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

/// News of a piece of work before its end.
enum LoadUpdate: Sendable {
    case progress(LoadProgress)
    case cached(ImageResponse)
    case preview(ImageResponse)
}
