/// Holds tasks back until a test lets them go: what a test uses in place of a sleep.
///
/// ```swift
/// let gate = Gate()
/// origin.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
/// let load = Task { try await manager.image(for: origin.url("/slow.png")) }
/// await origin.waitForRequests(1, for: "/slow.png")   // the request is there, its answer is not
/// gate.open()
/// ```
///
/// Two gates are equal when they are the same one.
public final class Gate: Sendable {
    private let monitor = Monitor(false)

    /// A closed gate.
    public init() {}

    /// Whether it has been opened.
    public var isOpen: Bool { monitor.state }

    /// Lets go all who wait and all who come later. A gate never closes again.
    public func open() {
        monitor.update { $0 = true }
    }

    /// Waits until the gate is open; at once where it is.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before.
    public func wait() async throws(CancellationError) {
        guard await monitor.wait(until: { $0 }) else { throw CancellationError() }
    }
}

extension Gate: Equatable {
    /// Whether both are the same gate.
    public static func == (first: Gate, second: Gate) -> Bool { first === second }
}
