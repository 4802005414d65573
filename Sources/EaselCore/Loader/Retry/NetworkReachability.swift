/// Whether this machine has a network, asked when a host could not be reached (`RetryPolicy.waitsForNetwork`).
public protocol NetworkReachability: Sendable {
    /// Whether there is a network to send anything over. It says nothing about any one host.
    var isReachable: Bool { get }

    /// Returns when there is, or may be, a network again; at once where there is one.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before.
    func waitUntilReachable() async throws
}
