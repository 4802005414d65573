import EaselFoundation

/// A decoded picture as a file: a header of 4,096 bytes, then the rows as `PixelBuffer` has them.
///
/// The header is, little-endian: `magic` (8 bytes), version (4), the number of bytes that follow (4), those bytes, CRC-32C
/// of all before (4), and zeros. Nothing of it is trusted: a file of another version, machine or size is none.
struct DecodedFile {
    static let headerLength = 4096
    private static let magic = Array("EaselPix".utf8)
    private static let version: UInt32 = 2
    /// Bytes of a header beside those that it counts.
    private static let fixedLength = 20

    var size: PixelSize
    var isOpaque: Bool
    var scale: Double
    var metadata: ImageMetadata
    var identity: MachineIdentity

    init(of image: DecodedImage, on identity: MachineIdentity) {
        size = image.size
        isOpaque = image.pixels.isOpaque
        scale = image.scale
        metadata = image.metadata
        self.identity = identity
    }

    /// Whether the header has room for what is known of the picture; not for a very long animation's durations.
    var fits: Bool { body.count + Self.fixedLength <= Self.headerLength }

    /// The header, or `nil` where it has no room.
    var header: [UInt8]? {
        let body = body
        guard body.count + Self.fixedLength <= Self.headerLength else { return nil }
        var header = ByteWriter()
        header.write(Self.magic)
        header.write(Self.version)
        header.write(UInt32(body.count))
        header.write(body)
        header.write(header.bytes.withUnsafeBytes(CRC32C.checksum))
        return header.bytes + [UInt8](repeating: 0, count: Self.headerLength - header.bytes.count)
    }

    private var body: [UInt8] {
        var body = ByteWriter()
        body.write(identity.machine)
        body.write(UInt32(size.width))
        body.write(UInt32(size.height))
        body.write(UInt8(isOpaque ? 1 : 0))
        body.write(scale.bitPattern)
        body.write(metadata)
        return body.bytes
    }

    /// `nil` for a header that is damaged, cut off or of another version.
    init?(header: [UInt8]) {
        var outer = ByteReader(header)
        guard outer.read(Self.magic.count) == Self.magic, outer.read(UInt32.self) == Self.version,
            let count = outer.read(UInt32.self), let bytes = outer.read(Int(count)), let seal = outer.read(UInt32.self),
            header.prefix(16 + Int(count)).withContiguousStorageIfAvailable({
                CRC32C.checksum(UnsafeRawBufferPointer($0))
            }) == seal
        else { return nil }
        var body = ByteReader(bytes)
        guard let machine = body.read(UInt64.self), let width = body.read(UInt32.self),
            let height = body.read(UInt32.self), width > 0, height > 0, let isOpaque = body.read(UInt8.self),
            let scale = body.read(UInt64.self),
            let metadata = body.readImageMetadata(), body.isAtEnd
        else { return nil }
        identity = MachineIdentity(machine: machine)
        size = PixelSize(Int(width), Int(height))
        self.isOpaque = isOpaque == 1
        self.scale = Double(bitPattern: scale)
        self.metadata = metadata
    }
}
