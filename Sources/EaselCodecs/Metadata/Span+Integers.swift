/// Numbers read from a file. Every read is checked against the end: the offset may be one that the file gave.
extension Span where Element == UInt8 {
    /// The byte at `offset`, or `nil` beyond the ends.
    func byte(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? self[offset] : nil
    }

    /// Two bytes, the high one first.
    func bigEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    /// Two bytes, the low one first.
    func littleEndian16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 2 else { return nil }
        return Int(self[offset + 1]) << 8 | Int(self[offset])
    }

    /// Four bytes, the highest one first.
    func bigEndian32(at offset: Int) -> Int? {
        guard let high = bigEndian16(at: offset), let low = bigEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Four bytes, the lowest one first.
    func littleEndian32(at offset: Int) -> Int? {
        guard let low = littleEndian16(at: offset), let high = littleEndian16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Whether the characters of `text` stand at `offset`.
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, text.utf8CodeUnitCount <= count - offset else { return false }
        return text.withUTF8Buffer { characters in
            characters.indices.allSatisfy { self[offset + $0] == characters[$0] }
        }
    }
}
