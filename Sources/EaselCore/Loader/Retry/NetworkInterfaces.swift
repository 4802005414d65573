import CEaselSystem

/// Whether an interface of this machine, other than its loopback one, is up and has an address.
///
/// The simplest answer that holds on every system. It does not see whether anything lies behind the interface, and while
/// somebody waits it looks once a second, because there is no one way in which all systems tell of a change. Who has a
/// better source of news implements `NetworkReachability` over it.
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

    /// Whether one is up now. A few system calls, none of which blocks.
    public var isReachable: Bool { isUp() }

    /// Returns when one is up, within a second of it.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before.
    public func waitUntilReachable() async throws {
        while !isUp() { try await clock.sleep(.seconds(1)) }
    }
}
