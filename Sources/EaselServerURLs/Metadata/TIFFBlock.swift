#if Server
/// The directories of a TIFF structure, which EXIF consists of. Reads stay inside of the bytes.
struct TIFFBlock {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    /// Returns `nil` for bytes without the signature.
    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        switch bytes.prefix(4) {
        case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
        default: return nil
        }
    }

    /// A value of a directory.
    struct Entry {
        let tag: Int
        /// 1 for a byte, 2 for text, 3 for 16 bits, 4 for 32 bits, 5 for a fraction; 7 for anything. 9 and 10 are 4 and
        /// 5 with a sign.
        let type: Int
        let count: Int
        /// The position of the value.
        let place: Int
    }

    /// The entries of the first directory.
    var entries: [Entry] { number(at: 4, byteCount: 4).map(entries) ?? [] }

    /// Returns the entries of the directory at a position, at most 256.
    func entries(at directory: Int) -> [Entry] {
        guard let count = number(at: directory, byteCount: 2) else { return [] }
        return (0..<min(count, 256)).compactMap { index in
            let start = directory + 2 + index * 12
            guard let tag = number(at: start, byteCount: 2), let type = number(at: start + 2, byteCount: 2),
                let count = number(at: start + 4, byteCount: 4), let size = Self.sizes[type]
            else { return nil }
            let length = count * size
            guard let place = length <= 4 ? start + 8 : number(at: start + 8, byteCount: 4),
                length <= bytes.count, place <= bytes.count - length
            else { return nil }
            return Entry(tag: tag, type: type, count: count, place: place)
        }
    }

    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8]

    /// Returns the bytes of a value of single bytes, or `nil` for another type or more than `limit` bytes.
    func content(of entry: Entry, limit: Int) -> ArraySlice<UInt8>? {
        guard Self.sizes[entry.type] == 1, entry.count <= limit else { return nil }
        return bytes[entry.place..<(entry.place + entry.count)]
    }

    /// Returns one of the numbers of a value; for a fraction its two parts.
    func number(_ index: Int, of entry: Entry) -> (numerator: Int, denominator: Int)? {
        guard index < entry.count else { return nil }
        func signed(_ value: Int) -> Int {
            [9, 10].contains(entry.type) ? Int(Int32(truncatingIfNeeded: value)) : value
        }
        switch entry.type {
        case 1: return number(at: entry.place + index, byteCount: 1).map { ($0, 1) }
        case 3: return number(at: entry.place + index * 2, byteCount: 2).map { ($0, 1) }
        case 4, 9: return number(at: entry.place + index * 4, byteCount: 4).map { (signed($0), 1) }
        case 5, 10:
            let start = entry.place + index * 8
            guard let numerator = number(at: start, byteCount: 4), let denominator = number(at: start + 4, byteCount: 4)
            else { return nil }
            return (signed(numerator), signed(denominator))
        default: return nil
        }
    }

    /// Returns an unsigned number in the byte order of the structure.
    func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        return (0..<byteCount).reduce(0) { value, index in
            value << 8 | Int(bytes[offset + (isLittleEndian ? byteCount - 1 - index : index)])
        }
    }
}
#endif
