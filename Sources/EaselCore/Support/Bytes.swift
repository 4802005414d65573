/// A reader of little-endian numbers and runs of bytes, one after the other.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    /// Reads a number. Returns `nil` if there are too few bytes.
    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        guard let slice = take(MemoryLayout<Number>.size) else { return nil }
        return slice.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    /// Reads `count` bytes. Returns `nil` if there are fewer.
    package mutating func read(_ count: Int) -> [UInt8]? { take(count).map { Array($0) } }

    /// Reads `count` bytes as UTF-8. Returns `nil` if there are fewer.
    package mutating func readText(_ count: Int) -> String? { take(count).map { String(decoding: $0, as: UTF8.self) } }

    /// Reads the remaining bytes.
    package mutating func readToEnd() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[position...])
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes[position..<(position + count)]
    }
}

/// A writer of the format that `ByteReader` reads.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    package mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }
}

extension String {
    /// Returns whether an ASCII character is in the text. Ten times as fast as `contains`.
    func has(_ character: Unicode.Scalar) -> Bool { withBytes { $0.contains(UInt8(ascii: character)) } }

    /// Runs `body` with the UTF-8 form.
    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        if let value = utf8.withContiguousStorageIfAvailable(body) { return value }
        var copy = self
        return copy.withUTF8(body)
    }
}
