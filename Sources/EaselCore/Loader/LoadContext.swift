import Synchronization

/// The connection between a running operation and those who wait for it: a live priority in, progress out.
public final class LoadContext: Sendable {
    private struct State {
        var demand: LoadDemand
        var observers: [(number: Int, call: @Sendable () -> Void)] = []
        var nextObserver = 0
    }

    /// Counts the operation's stages; `nil` outside of a manager.
    let observation: Observation?
    /// Cancels the task of the operation; `nil` if the operation has no task of its own.
    let cancelTask: (@Sendable () -> Void)?
    private let state: Mutex<State>
    private let deliver: @Sendable (LoadUpdate) -> Void
    private let allowsRequest: @Sendable () -> Bool

    init(
        demand: LoadDemand, observation: Observation? = nil, cancelTask: (@Sendable () -> Void)? = nil,
        willSendRequest: @escaping @Sendable () -> Bool = { true }, deliver: @escaping @Sendable (LoadUpdate) -> Void
    ) {
        state = Mutex(State(demand: demand))
        self.observation = observation
        self.cancelTask = cancelTask
        self.deliver = deliver
        allowsRequest = willSendRequest
    }

    convenience init(
        priority: LoadPriority, observation: Observation? = nil, deliver: @escaping @Sendable (LoadUpdate) -> Void
    ) {
        self.init(demand: LoadDemand(priority: priority), observation: observation, deliver: deliver)
    }

    /// The current priority: the highest of all who wait for the operation.
    public var priority: LoadPriority { demand.priority }

    /// The current demand.
    var demand: LoadDemand { state.withLock { $0.demand } }

    /// Reports how many bytes have arrived.
    ///
    /// - Parameters:
    ///   - received: The number of bytes so far.
    ///   - expected: The number of bytes in all, or `nil` if the server does not announce it.
    public func report(received: Int, expected: Int?) {
        deliver(.progress(LoadProgress(received: received, expected: expected)))
    }

    func report(_ update: LoadUpdate) { deliver(update) }

    /// Announces a request to a server. Returns `false` if the load is no longer needed; the request must not be sent then.
    func willSendRequest() -> Bool { allowsRequest() }

    func setPriority(_ priority: LoadPriority) { change { $0.priority = priority } }

    func setDemand(_ demand: LoadDemand) { change { $0 = demand } }

    private func change(_ change: (inout LoadDemand) -> Void) {
        let observers = state.withLock { state in
            let before = state.demand
            change(&state.demand)
            return state.demand == before ? [] : state.observers
        }
        for observer in observers { observer.call() }
    }

    /// Runs `body` with a context of the same demand that reports to `deliver`.
    ///
    /// - Parameter allowsPreviews: Whether previews are part of the demand.
    func relaying<Value>(
        allowsPreviews: Bool = true, _ deliver: @escaping @Sendable (LoadUpdate) -> Void,
        _ body: (LoadContext) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let readDemand: @Sendable () -> LoadDemand = { [self] in
            var demand = demand
            demand.wantsPreviews = demand.wantsPreviews && allowsPreviews
            return demand
        }
        let inner = LoadContext(
            demand: readDemand(), observation: observation, cancelTask: cancelTask, willSendRequest: allowsRequest,
            deliver: deliver)
        return try await observingDemand({
            // Two changes can cross. The loop ends with the later one.
            while case let demand = readDemand(), demand != inner.demand { inner.setDemand(demand) }
        }) { () async throws(ImageError) in
            try await body(inner)
        }
    }

    /// Calls `observe` now and after each change of the demand until `body` returns. `observe` reads the demand itself, because
    /// two calls can cross.
    func observingDemand<Value>(
        _ observe: @escaping @Sendable () -> Void, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = addObserver(observe)
        defer { removeObserver(number) }
        observe()
        return try await body()
    }

    /// Calls `observe` after each change of the demand. Returns the number to remove it with.
    func addObserver(_ observe: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextObserver += 1
            state.observers.append((state.nextObserver, observe))
            return state.nextObserver
        }
    }

    func removeObserver(_ number: Int) {
        // The closure is released outside the lock: it can hold the last reference to anything.
        let observer = state.withLock { state in
            state.observers.firstIndex { $0.number == number }.map { state.observers.remove(at: $0) }
        }
        withExtendedLifetime(observer) {}
    }
}

/// What subscribers need of an operation besides its result.
struct LoadDemand: Sendable, Hashable {
    var priority: LoadPriority
    /// Whether images are shown before the file is complete.
    var wantsPreviews = false
}

/// How many bytes of a file have arrived.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public var received: Int
    /// The number of bytes in all, or `nil` if the server does not announce it.
    public var expected: Int?

    /// The fraction from 0 to 1: 0 while the total is unknown, 1 if more arrived than was announced.
    public var fraction: Double {
        guard let expected, expected > 0 else { return 0 }
        return min(1, Double(received) / Double(expected))
    }

    /// Creates a progress value.
    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

/// An event of a running operation.
enum LoadUpdate: Sendable {
    case progress(LoadProgress)
    // Rare and large.
    indirect case cached(ImageResponse)
    indirect case preview(DecodedImage)
    /// The original file begins to arrive. Each attempt reports a file of its own.
    case arriving(ArrivingFile)
}
