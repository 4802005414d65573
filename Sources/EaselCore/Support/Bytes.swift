/// Reads little-endian numbers and runs of bytes one after the other, and never beyond the end.
struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The next number, or `nil` where there is no room for one.
    mutating func read<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { return nil }
        defer { position += size }
        return bytes.withUnsafeBytes { bytes in
            Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    /// The next `count` bytes, or `nil` where there are fewer.
    mutating func read(_ count: Int) -> [UInt8]? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }

    /// The next `count` bytes as a text in UTF-8, or `nil` where there are fewer.
    mutating func readText(_ count: Int) -> String? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return String(decoding: bytes[position..<(position + count)], as: UTF8.self)
    }

    /// All bytes that are left.
    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }
}

/// Writes what `ByteReader` reads.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// With room for so many bytes, which saves moving them.
    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }
}
