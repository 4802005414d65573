import EaselCore

/// Bounds-checked reads. Offsets can come from the file.
extension Span where Element == UInt8 {
    /// Returns the byte at `offset`, or `nil` if it is out of bounds.
    func byte(at offset: Int) -> UInt8? { offset >= 0 && offset < count ? self[offset] : nil }

    func bigEndian16(at offset: Int) -> Int? { number(UInt16.self, at: offset).map { Int(UInt16(bigEndian: $0)) } }
    func littleEndian16(at offset: Int) -> Int? {
        number(UInt16.self, at: offset).map { Int(UInt16(littleEndian: $0)) }
    }
    func bigEndian32(at offset: Int) -> Int? { number(UInt32.self, at: offset).map { Int(UInt32(bigEndian: $0)) } }
    func littleEndian32(at offset: Int) -> Int? {
        number(UInt32.self, at: offset).map { Int(UInt32(littleEndian: $0)) }
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type, at offset: Int) -> Number? {
        guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }

    /// Returns whether the characters of `text` are at `offset`.
    func hasText(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, text.utf8CodeUnitCount <= count - offset else { return false }
        return text.withUTF8Buffer { characters in
            characters.indices.allSatisfy { self[offset + $0] == characters[$0] }
        }
    }
}

/// Boxes of ISO base media files (ISO/IEC 14496-12), such as AVIF and HEIF. Nothing is stored, and each skipped box has
/// at least 8 bytes, so the work is linear in the file size.
extension Span where Element == UInt8 {
    /// Calls `body` with the content of each `type` box directly inside `range`. Stops at a box that exceeds the range.
    func forEachBox(_ type: StaticString, in range: Range<Int>, _ body: (Range<Int>) -> Void) {
        let code = type.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
        forEachBox(in: range) { type, content in if type == code { body(content) } }
    }

    /// Calls `body` with each box directly inside `range`: its type as a big-endian number, and its content.
    func forEachBox(in range: Range<Int>, _ body: (_ type: Int, Range<Int>) -> Void) {
        var offset = range.lowerBound
        while offset <= range.upperBound - 8, let size = bigEndian32(at: offset), let type = bigEndian32(at: offset + 4)
        {
            var content = offset + 8
            var end = offset + size
            if size == 0 {
                end = range.upperBound
            } else if size == 1 {
                guard let large = bigEndian64(at: offset + 8), large <= range.upperBound - offset else { return }
                content = offset + 16
                end = offset + large
            }
            guard end <= range.upperBound, end >= content else { return }
            body(type, content..<end)
            offset = end
        }
    }

    /// Returns the content of the first box of `type` directly inside `range`.
    func firstBox(_ type: StaticString, in range: Range<Int>) -> Range<Int>? {
        var first: Range<Int>?
        forEachBox(type, in: range) { content in first = first ?? content }
        return first
    }

    /// Returns the content of the box at `path`, the first of its type at each level.
    func box(_ path: [StaticString], in range: Range<Int>) -> Range<Int>? {
        path.reduce(range) { range, type in range.flatMap { firstBox(type, in: $0) } }
    }

    /// Returns a big-endian 64-bit number; `nil` if it exceeds `Int`.
    func bigEndian64(at offset: Int) -> Int? {
        guard let high = bigEndian32(at: offset), let low = bigEndian32(at: offset + 4), high <= Int(Int32.max)
        else { return nil }
        return high << 32 | low
    }

    /// Throws `ImageError.tooLarge` if any item or track has more than `limit` pixels, since libraries that reject a
    /// file do not report its size.
    func checkAnnouncedSizes(limit: Int) throws(ImageError) {
        guard let size = largestAnnouncedSize(), size.area ?? .max > limit else { return }
        throw .tooLarge(.pixels(size, limit: limit))
    }

    /// Returns the largest size of any item or track.
    func largestAnnouncedSize() -> PixelSize? {
        var largest: PixelSize?
        func consider(_ width: Int?, _ height: Int?) {
            guard let width, let height, PixelSize(width, height).area ?? .max > largest?.area ?? 0 else { return }
            largest = PixelSize(width, height)
        }
        forEachItemProperty("ispe") { content in
            consider(bigEndian32(at: content.lowerBound + 4), bigEndian32(at: content.lowerBound + 8))
        }
        if let movie = firstBox("moov", in: 0..<count) {
            forEachBox("trak", in: movie) { track in
                guard let header = firstBox("tkhd", in: track), header.count >= 8 else { return }
                // Fixed-point numbers with 16 fractional bits.
                consider(bigEndian16(at: header.upperBound - 8), bigEndian16(at: header.upperBound - 4))
            }
        }
        return largest
    }

    /// Calls `body` with the content of each item property of a type.
    func forEachItemProperty(_ type: StaticString, _ body: (Range<Int>) -> Void) {
        forEachBox("meta", in: 0..<count) { meta in
            guard meta.count >= 4, let properties = box(["iprp", "ipco"], in: (meta.lowerBound + 4)..<meta.upperBound)
            else { return }
            forEachBox(type, in: properties, body)
        }
    }
}
