import EaselFoundation

/// How a part of a download is written: a frame that says what it is, and a frame for every piece as it came.
///
/// Each frame has its length and its checksum, so that whatever the end of a process, or of the power, has left at the
/// end of the file is noticed, and what stands before it is used. Little-endian: length (4 bytes), CRC-32C (4), bytes.
enum PartialFile {
    private static let magic = Array("EaselPart1".utf8)
    private static let totalField = "total"
    private static let keyField = "key"

    /// The frame that a file begins with.
    static func head(of partial: PartialDownload, key: CacheKey) -> Data {
        var fields = partial.response.metadata
        fields[totalField] = partial.total.map { String($0) }
        // The name of the file alone would do, but a file can be renamed.
        fields[keyField] = key.bareFileName
        return frame(magic + CacheMetadata(fields: fields).bytes)
    }

    /// A piece as it is written.
    static func frame(_ bytes: some Collection<UInt8>) -> Data {
        let bytes = Array(bytes)
        var writer = ByteWriter()
        writer.write(UInt32(bytes.count))
        writer.write(bytes.withUnsafeBytes(CRC32C.checksum))
        return Data(writer.bytes) + bytes
    }

    /// What a file holds up to the first frame that is not whole; `nil` where that is nothing, or of another key.
    static func read(_ file: Data, key: CacheKey) -> PartialDownload? {
        var rest = file[...]
        guard let head = next(&rest), head.starts(with: magic),
            let fields = CacheMetadata(Array(head.dropFirst(magic.count)), created: nil)?.fields,
            fields[keyField] == key.bareFileName, let response = StoredResponse(metadata: fields)
        else { return nil }
        var body = Data(capacity: rest.count)
        while let piece = next(&rest) { body.append(piece) }
        return body.isEmpty
            ? nil : PartialDownload(response: response, total: fields[totalField].flatMap { Int($0) }, body: body)
    }

    private static func next(_ rest: inout Data.SubSequence) -> Data.SubSequence? {
        guard rest.count >= 8 else { return nil }
        let (length, checksum) = rest.withUnsafeBytes { bytes in
            (
                Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))),
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            )
        }
        let payload = rest.dropFirst(8).prefix(length)
        guard payload.count == length, payload.withUnsafeBytes(CRC32C.checksum) == checksum else { return nil }
        rest = rest.dropFirst(8 + length)
        return payload
    }
}
