import EaselFoundation

/// The record that is stored with an entry's payload: its length and checksum, the time of the store, and the metadata.
///
/// The format is little-endian: version (1 byte), flags (1), length (8), CRC-32C of the payload (4), time of the store
/// in milliseconds since 1970 (8), length of the details (4), details, CRC-32C of everything before (4). The record is
/// in the file's extended attribute. If that is not possible, it follows the payload as a trailer, which ends with the
/// record's length (4) and `magic`. If the details are too long for the attribute, the attribute has a record without
/// details that refers to the trailer.
struct DiskRecord: Equatable {
    /// The number of bytes of the payload in the file.
    var length: Int
    var checksum: UInt32
    /// Milliseconds since 1970.
    var created: Int64
    var isEncrypted = false
    /// Whether the whole record is in the trailer, and this one has no details.
    var continuesInTrailer = false
    /// `CacheMetadata.bytes`, encrypted if the payload is.
    var details: [UInt8] = []

    static let version: UInt8 = 2
    private static let magic = Array("EaselEnd".utf8)
    private static let fixedLength = 26
    /// The bytes of a trailer after the record: its length and `magic`.
    private static let footerLength = 12
    static let longestDetails = 1 << 20

    init(of payload: Data, created: Date) {
        length = payload.count
        checksum = payload.withUnsafeBytes(CRC32C.checksum)
        self.created = Int64((created.timeIntervalSince1970 * 1000).rounded())
    }

    /// Reads a record. Fails for bytes that are not a complete, undamaged record of this version.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard bytes.count >= Self.fixedLength + 4, reader.read(UInt8.self) == Self.version,
            let flags = reader.read(UInt8.self), let length = reader.read(UInt64.self).flatMap(Int.init(exactly:)),
            let checksum = reader.read(UInt32.self), let created = reader.read(Int64.self),
            let count = reader.read(UInt32.self), count <= Self.longestDetails, let details = reader.read(Int(count)),
            let seal = reader.read(UInt32.self), reader.isAtEnd,
            bytes.withUnsafeBytes({ CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0.dropLast(4))) }) == seal
        else { return nil }
        self.length = length
        self.checksum = checksum
        self.created = created
        isEncrypted = flags & 1 != 0
        continuesInTrailer = flags & 2 != 0
        self.details = details
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.fixedLength + details.count + 4)
        writer.write(Self.version)
        writer.write(UInt8((isEncrypted ? 1 : 0) | (continuesInTrailer ? 2 : 0)))
        writer.write(UInt64(length))
        writer.write(checksum)
        writer.write(created)
        writer.write(UInt32(details.count))
        writer.write(details)
        writer.write(writer.bytes.withUnsafeBytes(CRC32C.checksum))
        return writer.bytes
    }

    /// The bytes that follow the payload in a file with a trailer.
    var trailer: Data {
        let record = bytes
        var writer = ByteWriter()
        writer.write(record)
        writer.write(UInt32(record.count))
        writer.write(Self.magic)
        return Data(writer.bytes)
    }

    /// The attribute of a file that has the whole record in its trailer.
    var pointer: DiskRecord {
        var pointer = self
        pointer.details = []
        pointer.continuesInTrailer = true
        return pointer
    }

    /// Reads the record in the trailer of a file that ends with these bytes. Returns `nil` if there is no record of the
    /// right length.
    static func readTrailer(in end: Data, of fileLength: Int? = nil) -> DiskRecord? {
        guard let length = trailerLength(in: end), length <= end.count,
            let record = DiskRecord(Array(end.suffix(length).dropLast(footerLength))),
            record.length == (fileLength ?? end.count) - length
        else { return nil }
        return record
    }

    /// Returns the length of the trailer of a file that ends with these bytes, or `nil`.
    static func trailerLength(in end: Data) -> Int? {
        guard isTrailer(atEndOf: end) else { return nil }
        var reader = ByteReader(Array(end.suffix(footerLength).prefix(4)))
        guard let count = reader.read(UInt32.self).map(Int.init), count <= fixedLength + longestDetails + 4 else {
            return nil
        }
        return count + footerLength
    }

    static func isTrailer(atEndOf bytes: Data) -> Bool {
        bytes.count >= footerLength && bytes.suffix(magic.count).elementsEqual(magic)
    }

    func matches(_ payload: Data) -> Bool {
        payload.count == length && payload.withUnsafeBytes(CRC32C.checksum) == checksum
    }

    /// Seconds since 1970.
    var createdSeconds: Double { Double(created) / 1000 }
}

/// Metadata is encoded as the number of fields (4 bytes) and, sorted by name, each field as length of the name (4),
/// name, length of the value (4) and value. A byte follows: 1 if the extended bytes follow, else 0.
extension CacheMetadata {
    /// The encoded metadata, empty if there is none. `created` is in the record itself.
    var bytes: [UInt8] {
        guard !fields.isEmpty || extended != nil else { return [] }
        var writer = ByteWriter()
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

    /// Decodes metadata. No bytes are empty metadata. Fails for incomplete bytes.
    init?(_ bytes: [UInt8], created: Date?) {
        self.init()
        self.created = created
        guard !bytes.isEmpty else { return }
        var reader = ByteReader(bytes)
        func text() -> String? { reader.read(UInt32.self).flatMap { reader.readText(Int($0)) } }
        guard let count = reader.read(UInt32.self) else { return nil }
        for _ in 0..<count {
            guard let name = text(), let value = text() else { return nil }
            fields[name] = value
        }
        switch reader.read(UInt8.self) {
        case 0: guard reader.isAtEnd else { return nil }
        case 1: extended = Data(reader.readToEnd())
        default: return nil
        }
    }
}
