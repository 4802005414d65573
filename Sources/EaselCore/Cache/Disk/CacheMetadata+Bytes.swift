import EaselFoundation

/// How metadata is written into an entry's record: the number of fields (4 bytes), each with the length of its name (4),
/// its name, the length of its value (4) and its value, sorted by name; then 1 and the extended bytes, or 0.
extension CacheMetadata {
    /// Empty where there is nothing to write. When the bytes were stored is the record's to know.
    var bytes: [UInt8] {
        guard !fields.isEmpty || extended != nil else { return [] }
        let textCount = fields.reduce(0) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count }
        var writer = ByteWriter(capacity: 5 + textCount + (extended?.count ?? 0))
        writer.write(UInt32(fields.count))
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            for text in [name, value] {
                writer.write(UInt32(text.utf8.count))
                writer.write(text.utf8)
            }
        }
        writer.write(UInt8(extended == nil ? 0 : 1))
        if let extended { writer.write(extended) }
        return writer.bytes
    }

    /// `nil` for bytes that are not whole. No bytes at all are empty metadata.
    init?(_ bytes: [UInt8], created: Date?) {
        self.init()
        self.created = created
        guard !bytes.isEmpty else { return }
        var reader = ByteReader(bytes)
        guard let count = reader.read(UInt32.self) else { return nil }
        for _ in 0..<count {
            guard let name = Self.text(&reader), let value = Self.text(&reader) else { return nil }
            fields[name] = value
        }
        switch reader.read(UInt8.self) {
        case 0: guard reader.isAtEnd else { return nil }
        case 1: extended = Data(reader.rest())
        default: return nil
        }
    }

    private static func text(_ reader: inout ByteReader) -> String? {
        reader.read(UInt32.self).flatMap { reader.readText(Int($0)) }
    }
}
