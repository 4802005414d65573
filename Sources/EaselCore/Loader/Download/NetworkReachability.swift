import CEaselSystem

/// Tells whether this machine has a network, for `RetryPolicy.waitsForNetwork`.
public protocol NetworkReachability: Sendable {
    /// Whether there is a network. Says nothing about any one host.
    var isReachable: Bool { get }

    /// Returns when there may be a network.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func waitUntilReachable() async throws
}

/// Whether an interface of this machine, other than its loopback one, is up and has an address.
///
/// Works on every system. It does not test whether anything is reachable through the interface, and polls once a second
/// while a download waits. Implement `NetworkReachability` over a better source where there is one.
public struct NetworkInterfaces: NetworkReachability {
    private let clock: LoadClock
    private let isUp: @Sendable () -> Bool

    /// The interfaces of this machine.
    public init() {
        self.init(clock: ContinuousClock()) { easel_network_is_up() }
    }

    init(clock: some Clock<Duration>, isUp: @escaping @Sendable () -> Bool) {
        self.clock = LoadClock(clock)
        self.isUp = isUp
    }

    /// Whether one is up now. Does not block.
    public var isReachable: Bool { isUp() }

    /// Returns within a second after one is up.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitUntilReachable() async throws {
        while !isUp() { try await clock.sleep(.seconds(1)) }
    }
}
