/// Memory, disk, both or neither (X063).
public struct CacheLevels: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// A set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Decoded pictures in memory.
    public static let memory = CacheLevels(rawValue: 1)
    /// Files on disk.
    public static let disk = CacheLevels(rawValue: 2)
    /// Both.
    public static let all: CacheLevels = [.memory, .disk]
    /// Neither.
    public static let none: CacheLevels = []
}
