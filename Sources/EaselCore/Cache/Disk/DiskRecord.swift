import EaselFoundation

/// What is stored beside an entry's bytes: what tells whether they are still the ones that were written, and the
/// metadata that the user gave.
///
/// Little-endian: version (1 byte), flags (1), length (8), CRC-32C of the bytes (4), when they were stored, in
/// milliseconds since 1970 (8), number of bytes of details (4), details, CRC-32C of all before (4). It lives in the
/// file's extended attribute. Where that is not possible it follows the bytes as a trailer, which ends with its
/// own length (4) and `magic`; an attribute that has no room for the details then says so.
struct DiskRecord: Equatable {
    /// Bytes of the payload as they are in the file.
    var length: Int
    var checksum: UInt32
    /// Milliseconds since 1970.
    var created: Int64
    var isEncrypted = false
    /// Whether the whole record is in the trailer, and this one has no details.
    var continuesInTrailer = false
    /// Metadata as `CacheMetadata` writes it, encrypted where the payload is.
    var details: [UInt8] = []

    static let version: UInt8 = 2
    private static let magic = Array("EaselEnd".utf8)
    private static let fixedLength = 26
    /// A trailer's length and `magic`.
    static let footerLength = 12
    /// More than anybody needs to keep beside an entry.
    static let longestDetails = 1 << 20

    init(of payload: Data, created: Date) {
        length = payload.count
        checksum = payload.withUnsafeBytes(CRC32C.checksum)
        self.created = Int64((created.timeIntervalSince1970 * 1000).rounded())
    }

    /// `nil` for bytes that are not a whole, undamaged record of a version that we know.
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

    /// The record as it follows the payload in a file.
    var trailer: Data {
        let record = bytes
        var writer = ByteWriter()
        writer.write(record)
        writer.write(UInt32(record.count))
        writer.write(Self.magic)
        return Data(writer.bytes)
    }

    /// What an attribute holds that has no room for the details.
    var pointer: DiskRecord {
        var pointer = self
        pointer.details = []
        pointer.continuesInTrailer = true
        return pointer
    }

    /// The record at the end of a file, of which these are the last bytes, or all; `nil` where there is none that fits the
    /// bytes before it.
    static func trailing(in end: Data, of fileLength: Int? = nil) -> DiskRecord? {
        guard let length = trailerLength(in: end), length <= end.count,
            let record = DiskRecord(Array(end.suffix(length).dropLast(footerLength))),
            record.length == (fileLength ?? end.count) - length
        else { return nil }
        return record
    }

    /// Bytes of the trailer at the end of a file, by its last bytes; `nil` where there is none.
    static func trailerLength(in end: Data) -> Int? {
        guard isTrailer(atEndOf: end) else { return nil }
        var reader = ByteReader(Array(end.suffix(footerLength).prefix(4)))
        guard let count = reader.read(UInt32.self).map(Int.init), count <= fixedLength + longestDetails + 4 else {
            return nil
        }
        return count + footerLength
    }

    /// Whether bytes end as a trailer does.
    static func isTrailer(atEndOf bytes: Data) -> Bool {
        bytes.count >= footerLength && bytes.suffix(magic.count).elementsEqual(magic)
    }

    /// Whether these are the bytes that this record was written for.
    func matches(_ payload: Data) -> Bool {
        payload.count == length && payload.withUnsafeBytes(CRC32C.checksum) == checksum
    }

    var createdDate: Date { Date(timeIntervalSince1970: Double(created) / 1000) }
}
