import CWebP
import EaselCore

/// The structure of a WebP file, read through libwebpdemux. Nothing is decompressed.
struct WebPFile {
    private(set) var header: ImageHeader
    /// The range of the profile in the file.
    private var profile: Range<Int>?
    private(set) var exif: Range<Int>?
    private(set) var xmp: Range<Int>?
    /// The frames of an animation, or the still image. Never empty.
    private(set) var frames: [WebPFrame] = []
    /// Whether the file is shorter than its RIFF header announces.
    let isTruncated: Bool
    /// Whether the file is an animation, which can have a single frame.
    let isAnimated: Bool
    /// Whether the announced EXIF, which follows the frames, has arrived.
    private(set) var isOrientationKnown = true

    /// - Throws: `ImageError.badData` if the data is not a WebP, or is truncated before the header of its first frame;
    ///   `.tooLarge` for more than 20,000 frames.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        guard let file = try Self(beginning: bytes) else { throw .truncated }
        self = file
    }

    /// Returns `nil` if the data ends before the header of the first frame.
    ///
    /// - Throws: `ImageError.badData` if the data is not a WebP; `.tooLarge` for more than 20,000 frames.
    init?(beginning bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        guard Self.mayBeWebP(bytes) else { throw .badData("Not a WebP file.") }
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        let demuxer = WebPDemuxPartial(&data, &state)
        defer { WebPDemuxDelete(demuxer) }
        guard state != WEBP_DEMUX_PARSE_ERROR else { throw .damaged }
        guard let demuxer, state != WEBP_DEMUX_PARSING_HEADER else { return nil }
        func feature(_ name: WebPFormatFeature) -> Int { Int(WebPDemuxGetI(demuxer, name)) }
        let flags = feature(WEBP_FF_FORMAT_FLAGS)
        isTruncated = state != WEBP_DEMUX_DONE
        isAnimated = flags & Int(ANIMATION_FLAG.rawValue) != 0
        header = ImageHeader(
            format: .webp, storedSize: PixelSize(feature(WEBP_FF_CANVAS_WIDTH), feature(WEBP_FF_CANVAS_HEIGHT)))
        readMetadata(demuxer, announcesEXIF: flags & Int(EXIF_FLAG.rawValue) != 0, in: bytes)
        // libwebpdemux searches each frame from the first one on, so the time to list them grows with their square.
        try ImageLimits.checkListed(frames: feature(WEBP_FF_FRAME_COUNT), limit: 20_000)
        let frames = Self.frames(demuxer, in: bytes)
        guard let first = frames.first else { return nil }
        self.frames = frames
        guard isAnimated else {
            header.hasAlpha = !first.placement.isOpaque
            return
        }
        header.frameCount = frames.count
        header.loopCount = feature(WEBP_FF_LOOP_COUNT)
        header.frameDurations = frames.map(\.duration)
        header.hasAlpha = frames.map(\.placement).canBeTransparent(on: header.storedSize)
    }

    /// Returns the colors of the ICCP chunk. `bytes` must be those of the initializer.
    func colors(in bytes: UnsafeBufferPointer<UInt8>) -> ColorDescription {
        profile.flatMap { ICCProfile(bytes[$0], for: .rgb) }.map(ColorDescription.profile) ?? .sRGB
    }

    private mutating func readMetadata(
        _ demuxer: OpaquePointer, announcesEXIF: Bool, in bytes: UnsafeBufferPointer<UInt8>
    ) {
        func chunk(_ name: String) -> Range<Int>? {
            var chunk = WebPChunkIterator()
            defer { WebPDemuxReleaseChunkIterator(&chunk) }
            return WebPDemuxGetChunk(demuxer, name, 1, &chunk) != 0 ? Self.range(of: chunk.chunk, in: bytes) : nil
        }
        let file = Span(_unsafeElements: bytes)
        exif = chunk("EXIF")
        xmp = chunk("XMP ")
        profile = chunk("ICCP")
        if let exif { header.orientation = ImageOrientation(exif: file.extracting(exif)) }
        isOrientationKnown = exif != nil || !announcesEXIF || !isTruncated
        header.profileName = profile.flatMap { ICCProfileName.read(from: file.extracting($0)) }
    }

    /// Returns the range of data that the demuxer returned, which points into `file`.
    fileprivate static func range(of data: WebPData, in file: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let start = data.bytes, let base = file.baseAddress, start >= base, start - base <= file.count,
            data.size <= file.count - (start - base)
        else { return nil }
        return (start - base)..<(start - base + data.size)
    }

    private static func frames(_ demuxer: OpaquePointer, in bytes: UnsafeBufferPointer<UInt8>) -> [WebPFrame] {
        var frames: [WebPFrame] = []
        var iterator = WebPIterator()
        defer { WebPDemuxReleaseIterator(&iterator) }
        guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0 else { return [] }
        repeat {
            guard let frame = WebPFrame(iterator, in: bytes) else { break }
            frames.append(frame)
        } while WebPDemuxNextFrame(&iterator) != 0
        return frames
    }

    /// Returns whether the data is the beginning of a RIFF file for WebP.
    private static func mayBeWebP(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        "RIFF".utf8.starts(with: bytes.prefix(4)) && "WEBP".utf8.starts(with: bytes.prefix(12).dropFirst(8))
    }
}

/// A frame of an animated WebP, or the still image.
struct WebPFrame {
    var placement: FramePlacement
    /// The playback duration.
    var duration: Duration
    /// The range of the compressed data in the file.
    var data: Range<Int>
    /// Whether all compressed data has arrived.
    var isComplete: Bool

    /// Returns `nil` for an iterator without data inside the file.
    fileprivate init?(_ iterator: WebPIterator, in file: UnsafeBufferPointer<UInt8>) {
        guard let data = WebPFile.range(of: iterator.fragment, in: file) else { return nil }
        self.data = data
        isComplete = iterator.complete != 0
        let isOpaque = iterator.has_alpha == 0 && WebPRaster.isOpaque(UnsafeBufferPointer(rebasing: file[data]))
        placement = FramePlacement(
            rectangle: PixelRectangle(
                x: Int(iterator.x_offset), y: Int(iterator.y_offset),
                size: PixelSize(Int(iterator.width), Int(iterator.height))),
            disposal: iterator.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? .clear : .keep,
            hidesCanvas: isOpaque || iterator.blend_method == WEBP_MUX_NO_BLEND, isOpaque: isOpaque)
        duration = Duration.playback(milliseconds: Int(iterator.duration))
    }
}
