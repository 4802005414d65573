/// A number of bytes, for limits.
public struct ByteCount: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The number of bytes.
    public let bytes: Int

    /// Creates a number of bytes.
    public init(_ bytes: Int) { self.bytes = bytes }

    /// Creates a number of bytes.
    public init(integerLiteral bytes: Int) { self.bytes = bytes }

    /// Millions of bytes.
    public static func megabytes(_ count: Int) -> ByteCount { ByteCount(count * 1_000_000) }

    /// The bytes that decoded images may take by default: a quarter of the memory that the process may use, and at most
    /// 512 MB. On Linux the control group of the process may limit that memory.
    public static var automatic: ByteCount { ByteCount(MemoryAllowance.ofProcess.bytesForImages) }
}

extension Duration {
    /// The whole duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
