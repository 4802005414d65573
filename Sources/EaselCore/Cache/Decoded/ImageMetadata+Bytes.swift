/// How what is known of a picture is written into a decoded file's header.
extension ByteWriter {
    mutating func write(_ metadata: ImageMetadata) {
        write(UInt32(clamping: metadata.frameIndex))
        write(UInt8((metadata.isThumbnail ? 1 : 0) | (metadata.isTransformed ? 2 : 0)) | metadata.colorSpace.bits << 2)
        write(UInt8(metadata.sampling == nil ? 0 : 1))
        if let sampling = metadata.sampling {
            write(sampling.original)
            write(sampling.decoded)
        }
        write(UInt8(metadata.header == nil ? 0 : 1))
        guard let header = metadata.header else { return }
        for text in [header.format.name, header.format.mediaType, header.format.fileExtension] { write(text) }
        write(header.storedSize)
        write(UInt8(header.orientation.rawValue))
        write(UInt32(clamping: header.frameCount))
        write(UInt32(clamping: header.loopCount))
        write(UInt32(clamping: header.frameDurations.count))
        for duration in header.frameDurations { write(UInt64(duration.seconds * 1e9)) }
        write(UInt8(header.hasAlpha ? 1 : 0))
        write(UInt8(clamping: header.bitDepth))
        write(UInt8(header.profileName == nil ? 0 : 1))
        if let name = header.profileName { write(name) }
    }

    private mutating func write(_ size: PixelSize) {
        write(UInt32(clamping: size.width))
        write(UInt32(clamping: size.height))
    }

    private mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        write(Array(text.utf8))
    }
}

extension ByteReader {
    /// `nil` where it is not whole, or makes no sense.
    mutating func readImageMetadata() -> ImageMetadata? {
        guard let frame = read(UInt32.self), let flags = read(UInt8.self),
            let colorSpace = ColorSpace.allCases.first(where: { $0.bits == flags >> 2 })
        else { return nil }
        var metadata = ImageMetadata(
            frameIndex: Int(frame), isThumbnail: flags & 1 != 0, isTransformed: flags & 2 != 0,
            colorSpace: colorSpace)
        guard let isSampled = read(UInt8.self) else { return nil }
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

    private mutating func readImageHeader() -> ImageHeader? {
        guard let name = readText(), let mediaType = readText(), let fileExtension = readText(),
            let size = readPixelSize(),
            let orientation = read(UInt8.self).flatMap({ ImageOrientation(rawValue: Int($0)) }),
            let frames = read(UInt32.self), let loops = read(UInt32.self), let durations = readDurations(),
            let hasAlpha = read(UInt8.self), let depth = read(UInt8.self), let hasProfile = read(UInt8.self)
        else { return nil }
        let known = ImageFormat.known.first { $0.name == name }
        var header = ImageHeader(
            format: known ?? ImageFormat(name, mediaType: mediaType, fileExtension: fileExtension, signatures: []),
            storedSize: size, orientation: orientation, frameCount: Int(frames),
            loopCount: Int(loops), frameDurations: durations, hasAlpha: hasAlpha == 1, bitDepth: Int(depth))
        if hasProfile == 1 {
            guard let profile = readText() else { return nil }
            header.profileName = profile
        }
        return header
    }

    private mutating func readPixelSize() -> PixelSize? {
        guard let width = read(UInt32.self), let height = read(UInt32.self) else { return nil }
        return PixelSize(Int(width), Int(height))
    }

    private mutating func readDurations() -> [Duration]? {
        guard let count = read(UInt32.self), count <= DecodedFile.headerLength / 8 else { return nil }
        var durations: [Duration] = []
        for _ in 0..<count {
            guard let duration = read(UInt64.self).flatMap(Int64.init(exactly:)) else { return nil }
            durations.append(.nanoseconds(duration))
        }
        return durations
    }

    private mutating func readText() -> String? {
        read(UInt32.self).flatMap { read(Int($0)) }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ColorSpace {
    /// The number that stands for it in the files.
    fileprivate var bits: UInt8 {
        switch self {
        case .sRGB: 0
        case .displayP3: 1
        case .unconverted: 2
        }
    }
}
