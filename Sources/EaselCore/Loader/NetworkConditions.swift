/// The conditions of the network, reported by the platform or set by the application.
public struct NetworkConditions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Creates a set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The user has chosen to save data. `ImageRequest.onLowData` specifies the effect.
    public static let constrained = NetworkConditions(rawValue: 1)
    /// The network is charged by volume. Has no effect by itself.
    public static let expensive = NetworkConditions(rawValue: 2)
    /// There is no network.
    public static let offline = NetworkConditions(rawValue: 4)
}
