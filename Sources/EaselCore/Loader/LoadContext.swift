import Synchronization

/// The connection of a load to its subscribers: it has their priority, and takes progress reports.
public final class LoadContext: Sendable {
    private struct State {
        var demand: LoadDemand
        var observers: [Int: @Sendable () -> Void] = [:]
        var lastObserver = 0
    }

    /// Counts the stages of the load; `nil` without a manager.
    let observation: Observation?
    private let state: Mutex<State>
    private let deliver: @Sendable (LoadUpdate) -> Void
    private let allowsRequest: @Sendable () -> Bool

    init(
        demand: LoadDemand, observation: Observation? = nil, willSendRequest: @escaping @Sendable () -> Bool = { true },
        deliver: @escaping @Sendable (LoadUpdate) -> Void
    ) {
        state = Mutex(State(demand: demand))
        self.observation = observation
        self.deliver = deliver
        allowsRequest = willSendRequest
    }

    convenience init(
        priority: LoadPriority, observation: Observation?, deliver: @escaping @Sendable (LoadUpdate) -> Void = { _ in }
    ) {
        self.init(demand: LoadDemand(priority: priority), observation: observation, deliver: deliver)
    }

    /// Creates a context for a call of `ImageLoading.load` without a manager.
    ///
    /// - Parameter progress: Called as bytes arrive.
    public convenience init(
        priority: LoadPriority = .normal, progress: @escaping @Sendable (LoadProgress) -> Void = { _ in }
    ) {
        self.init(demand: LoadDemand(priority: priority)) { if case .progress(let report) = $0 { progress(report) } }
    }

    /// The current priority: the highest of all subscribers.
    public var priority: LoadPriority { demand.priority }

    /// The current demand.
    var demand: LoadDemand { state.withLock { $0.demand } }

    /// Reports the number of bytes that have arrived, and of all bytes, if known.
    public func report(received: Int, expected: Int?) {
        deliver(.progress(LoadProgress(received: received, expected: expected)))
    }

    func report(_ update: LoadUpdate) { deliver(update) }

    /// Announces a request to a server. Returns `false` if the load was cancelled, and the request must not be sent.
    func willSendRequest() -> Bool { allowsRequest() }

    func setPriority(_ priority: LoadPriority) { change { $0.priority = priority } }

    func setDemand(_ demand: LoadDemand) { change { $0 = demand } }

    private func change(_ change: (inout LoadDemand) -> Void) {
        let observers = state.withLock { state in
            let before = state.demand
            change(&state.demand)
            return state.demand == before ? [] : Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Runs `body` with a context of the same demand that reports to `deliver`.
    ///
    /// - Parameter allowsPreviews: Whether previews are part of the demand.
    func relay<Value>(
        allowsPreviews: Bool = true, _ deliver: @escaping @Sendable (LoadUpdate) -> Void,
        _ body: (LoadContext) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let readDemand: @Sendable () -> LoadDemand = { [self] in
            var demand = demand
            demand.wantsPreviews = demand.wantsPreviews && allowsPreviews
            return demand
        }
        let inner = LoadContext(
            demand: readDemand(), observation: observation, willSendRequest: allowsRequest, deliver: deliver)
        return try await observeDemand({
            // Two changes can cross. The loop ends with the later one.
            while case let demand = readDemand(), demand != inner.demand { inner.setDemand(demand) }
        }) { () async throws(ImageError) in
            try await body(inner)
        }
    }

    /// Calls `observe` now and after each change of the demand until `body` returns. `observe` has to read the demand,
    /// because two calls can cross.
    func observeDemand<Value>(
        _ observe: @escaping @Sendable () -> Void, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = addObserver(observe)
        defer { removeObserver(number) }
        observe()
        return try await body()
    }

    /// Calls `observe` after each change of the demand. Returns a number for `removeObserver`.
    func addObserver(_ observe: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observe
            return state.lastObserver
        }
    }

    func removeObserver(_ number: Int) {
        // The closure is released outside the lock, because that can run any deinitialiser.
        let observer = state.withLock { $0.observers.removeValue(forKey: number) }
        withExtendedLifetime(observer) {}
    }
}

/// The needs of the subscribers of a load, besides its result.
struct LoadDemand: Sendable, Hashable {
    var priority: LoadPriority
    /// Whether images are shown before the file is complete.
    var wantsPreviews = false
}

/// The number of bytes of a file that have arrived.
public struct LoadProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public var received: Int
    /// The number of all bytes, if known.
    public var expected: Int?

    package init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }

    /// The fraction from 0 to 1. 0 if the length is unknown.
    public var fraction: Double {
        guard let expected, expected > 0 else { return 0 }
        return min(1, Double(received) / Double(expected))
    }
}

/// An event of a load.
enum LoadUpdate: Sendable {
    case progress(LoadProgress)
    // Rare and large.
    indirect case cached(ImageResponse)
    indirect case preview(DecodedImage)
    /// The original file begins to arrive. Each attempt reports another file.
    case arriving(ArrivingFile)
}
