import CWebP
import EaselCore

/// The structure of a WebP file, read through libwebpdemux. Nothing is decompressed.
struct WebPFile {
    private(set) var header: ImageHeader
    /// The range of the profile in the file.
    private var profile: Range<Int>?
    /// The frames of an animation, or the still image. Never empty.
    private(set) var frames: [WebPFrame] = []
    /// Whether the file is shorter than its RIFF header announces.
    let isCutOff: Bool
    /// Whether the file is an animation, which can have a single frame.
    let isAnimated: Bool
    /// Whether the announced EXIF, which follows the frames, has arrived.
    private(set) var isOrientationKnown = true

    /// - Throws: `ImageError.badData` if the data is not a WebP, or is truncated before the header of its first frame.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = WebPDemuxPartial(&data, &state) else { throw Self.damage }
        defer { WebPDemuxDelete(demuxer) }
        guard state == WEBP_DEMUX_DONE || state == WEBP_DEMUX_PARSED_HEADER else { throw Self.damage }
        func feature(_ name: WebPFormatFeature) -> Int { Int(WebPDemuxGetI(demuxer, name)) }
        let flags = feature(WEBP_FF_FORMAT_FLAGS)
        isCutOff = state != WEBP_DEMUX_DONE
        isAnimated = flags & Int(ANIMATION_FLAG.rawValue) != 0
        header = ImageHeader(
            format: .webp, storedSize: PixelSize(feature(WEBP_FF_CANVAS_WIDTH), feature(WEBP_FF_CANVAS_HEIGHT)))
        readMetadata(demuxer, announcesEXIF: flags & Int(EXIF_FLAG.rawValue) != 0, in: bytes)
        let frames = Self.frames(demuxer, in: bytes)
        guard let first = frames.first else { throw Self.damage }
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
        var chunk = WebPChunkIterator()
        if WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0 {
            header.orientation = ImageOrientation(exif: Span(_unsafeStart: chunk.chunk.bytes, count: chunk.chunk.size))
        } else if announcesEXIF, isCutOff {
            isOrientationKnown = false
        }
        WebPDemuxReleaseChunkIterator(&chunk)
        if WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk) != 0 {
            header.profileName = ICCProfileName.read(
                from: Span(_unsafeStart: chunk.chunk.bytes, count: chunk.chunk.size))
            // The demuxer returns pointers into `bytes`.
            if let start = chunk.chunk.bytes, let base = bytes.baseAddress, start >= base,
                chunk.chunk.size <= bytes.count - (start - base)
            {
                profile = (start - base)..<(start - base + chunk.chunk.size)
            }
        }
        WebPDemuxReleaseChunkIterator(&chunk)
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

    private static let damage = ImageError.badData("The WebP is damaged, or cut off before its header ends.")
}

/// A frame of an animated WebP, or the still image.
struct WebPFrame {
    var placement: FramePlacement
    /// The playback duration.
    var duration: Duration
    /// The range of the compressed data in the file.
    var data: Range<Int>
    /// Whether all compressed data has arrived.
    var isWhole: Bool

    /// Returns `nil` for an iterator without data inside the file.
    fileprivate init?(_ iterator: WebPIterator, in file: UnsafeBufferPointer<UInt8>) {
        guard let start = iterator.fragment.bytes, let base = file.baseAddress, start >= base,
            start - base <= file.count, iterator.fragment.size <= file.count - (start - base)
        else { return nil }
        data = (start - base)..<(start - base + iterator.fragment.size)
        isWhole = iterator.complete != 0
        let isOpaque = iterator.has_alpha == 0 && WebPRaster.isOpaque(UnsafeBufferPointer(rebasing: file[data]))
        placement = FramePlacement(
            rectangle: PixelRectangle(
                x: Int(iterator.x_offset), y: Int(iterator.y_offset),
                size: PixelSize(Int(iterator.width), Int(iterator.height))),
            disposal: iterator.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND ? .clear : .keep,
            hidesCanvas: isOpaque || iterator.blend_method == WEBP_MUX_NO_BLEND, isOpaque: isOpaque)
        duration = FrameTiming.played(milliseconds: Int(iterator.duration))
    }
}
