import EaselFoundation

/// The header of a file with a decoded image: 4,096 bytes, before the rows as `PixelBuffer` has them.
///
/// Little-endian: `magic` (8 bytes), version (4), length of the body (4), body, CRC-32C of all before (4), and zeros.
/// Its content is not trusted: a file of another version, machine or size counts as missing.
struct DecodedFile {
    static let headerLength = 4096
    private static let magic = Array("EaselPix".utf8)
    private static let version: UInt32 = 4
    /// The number of bytes of a header without its body and padding.
    private static let fixedLength = 20

    let size: PixelSize
    let isOpaque: Bool
    let scale: Double
    let metadata: ImageMetadata
    /// The machine that wrote the file. Other machines ignore it.
    let machine: UInt64

    /// The identity of this machine and of its pixel format.
    static let thisMachine: UInt64 = {
        let name = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy
            .compactMap { try? readFile($0, limit: 4096) }.first.map { String(decoding: $0, as: UTF8.self) }
        let endian = Int(1).littleEndian == 1 ? "little" : "big"
        let layout = "\(MemoryLayout<Int>.size * 8) bits, \(endian)-endian"
        return Digest(of: (name ?? ProcessInfo.processInfo.hostName) + " " + layout).low
    }()

    init(of image: DecodedImage, on machine: UInt64) {
        size = image.size
        isOpaque = image.pixels.isOpaque
        scale = image.scale
        metadata = image.metadata
        self.machine = machine
    }

    /// The encoded header, or `nil` if the metadata does not fit, for example the durations of a very long animation.
    var header: [UInt8]? {
        var body = ByteWriter()
        body.write(machine)
        body.write(size)
        body.write(UInt8(isOpaque ? 1 : 0))
        body.write(scale.bitPattern)
        body.write(metadata)
        guard body.bytes.count + Self.fixedLength <= Self.headerLength else { return nil }
        var header = ByteWriter(capacity: Self.headerLength)
        header.write(Self.magic)
        header.write(Self.version)
        header.write(UInt32(body.bytes.count))
        header.write(body.bytes)
        header.write(header.bytes.withUnsafeBytes(CRC32C.checksum))
        return header.bytes + [UInt8](repeating: 0, count: Self.headerLength - header.bytes.count)
    }

    /// Parses a header. Returns `nil` if it is damaged, truncated or of another version.
    init?(header: [UInt8]) {
        var outer = ByteReader(header)
        guard outer.read(Self.magic.count) == Self.magic, outer.read(UInt32.self) == Self.version,
            let count = outer.read(UInt32.self), let bytes = outer.read(Int(count)), let seal = outer.read(UInt32.self),
            Array(header.prefix(16 + Int(count))).withUnsafeBytes(CRC32C.checksum) == seal
        else { return nil }
        var body = ByteReader(bytes)
        guard let machine = body.read(UInt64.self), let size = body.readPixelSize(), size.width > 0, size.height > 0,
            let isOpaque = body.read(UInt8.self), let scale = body.read(UInt64.self),
            let metadata = body.readImageMetadata(), body.isAtEnd
        else { return nil }
        self.machine = machine
        self.size = size
        self.isOpaque = isOpaque == 1
        self.scale = Double(bitPattern: scale)
        self.metadata = metadata
    }
}

// MARK: - Metadata in the header

extension ByteWriter {
    fileprivate mutating func write(_ metadata: ImageMetadata) {
        write(UInt32(clamping: metadata.frameIndex))
        write(UInt8((metadata.isThumbnail ? 1 : 0) | (metadata.isTransformed ? 2 : 0)))
        write(metadata.colorSpace.rawValue)
        write(UInt8(metadata.sampling == nil ? 0 : 1))
        if let sampling = metadata.sampling {
            write(sampling.original)
            write(sampling.decoded)
        }
        write(UInt8(metadata.header == nil ? 0 : 1))
        if let header = metadata.header { write(header) }
    }

    /// Writes a header. The reader must know the format.
    package mutating func write(_ header: ImageHeader) {
        for text in [header.format.name, header.format.mediaType, header.format.fileExtension] { write(text) }
        write(header.storedSize)
        write(UInt8(header.orientation.rawValue))
        write(UInt32(clamping: header.frameCount))
        write(UInt32(clamping: header.loopCount))
        write(UInt32(clamping: header.frameDurations.count))
        for duration in header.frameDurations { write(UInt64(clamping: duration.nanoseconds)) }
        write(UInt8(header.hasAlpha ? 1 : 0))
        write(UInt8(clamping: header.bitDepth))
        write(UInt8(header.profileName == nil ? 0 : 1))
        write(header.profileName ?? "")
        // A headroom is never 0.
        write((header.gainMapHeadroom ?? 0).bitPattern)
    }

    package mutating func write(_ size: PixelSize) {
        write(UInt32(clamping: size.width))
        write(UInt32(clamping: size.height))
    }

    package mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        write(text.utf8)
    }
}

extension ByteReader {
    /// Reads metadata. Returns `nil` if it is incomplete or invalid.
    fileprivate mutating func readImageMetadata() -> ImageMetadata? {
        guard let frame = readCount(), let flags = read(UInt8.self),
            let colorSpace = readText().flatMap(ColorSpace.init), let isSampled = read(UInt8.self)
        else { return nil }
        var metadata = ImageMetadata(
            frameIndex: frame, isThumbnail: flags & 1 != 0, isTransformed: flags & 2 != 0, colorSpace: colorSpace)
        if isSampled == 1 {
            guard let original = readPixelSize(), let decoded = readPixelSize() else { return nil }
            metadata.sampling = Sampling(original: original, decoded: decoded)
        }
        guard let hasHeader = read(UInt8.self) else { return nil }
        if hasHeader == 1 {
            guard let header = readImageHeader() else { return nil }
            metadata.header = header
        }
        return metadata
    }

    /// Reads a header. Returns `nil` if it is incomplete or invalid.
    package mutating func readImageHeader() -> ImageHeader? {
        guard let name = readText(), let mediaType = readText(), let fileExtension = readText(),
            let size = readPixelSize(),
            let orientation = read(UInt8.self).flatMap({ ImageOrientation(rawValue: Int($0)) }),
            let frames = readCount(), let loops = readCount(), let durations = readDurations(),
            let hasAlpha = read(UInt8.self), let depth = read(UInt8.self), let hasProfile = read(UInt8.self),
            let profile = readText(), let headroom = read(UInt64.self).map(Double.init(bitPattern:))
        else { return nil }
        let known = ImageFormat.known.first { $0.name == name }
        var header = ImageHeader(
            format: known ?? ImageFormat(name, mediaType: mediaType, fileExtension: fileExtension, signatures: []),
            storedSize: size, orientation: orientation, frameCount: frames, loopCount: loops,
            frameDurations: durations, hasAlpha: hasAlpha == 1, bitDepth: Int(depth),
            profileName: hasProfile == 1 ? profile : nil)
        if headroom > 0 { header.gainMapHeadroom = headroom }
        return header
    }

    package mutating func readPixelSize() -> PixelSize? {
        guard let width = readCount(), let height = readCount() else { return nil }
        return PixelSize(width, height)
    }

    private mutating func readDurations() -> [Duration]? {
        guard let count = readCount() else { return nil }
        var durations: [Duration] = []
        for _ in 0..<count {
            guard let duration = read(UInt64.self).flatMap(Int64.init(exactly:)) else { return nil }
            durations.append(.nanoseconds(duration))
        }
        return durations
    }

    private mutating func readCount() -> Int? { read(UInt32.self).map(Int.init) }
    package mutating func readText() -> String? { readCount().flatMap { readText($0) } }
}

extension Duration {
    /// Whole nanoseconds, at most about 292 years.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard abs(seconds) < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
