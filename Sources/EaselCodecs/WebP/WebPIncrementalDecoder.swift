import CWebP
public import EaselCore
import EaselFoundation

extension WebPCoder: IncrementalDecoding {
    /// Shows the rows of a still image as they come, and the first frame of an animation when it has. Of a file that
    /// announces EXIF, which stands behind the image, nothing is shown before that has come: it may turn the image.
    ///
    /// libwebp asks for the whole of the file each time, so that is kept.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        WebPIncrementalDecoder(options)
    }
}

/// One WebP that is arriving.
private final class WebPIncrementalDecoder: IncrementalDecoder {
    private var options: DecodeOptions
    private var file: [UInt8] = []
    private var growth = Growth()
    private var still: WebPArrivingImage?
    private var isAnimated = false
    private var hasShownFrame = false

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        guard still?.isWhole != true, !hasShownFrame else { return }
        file.append(contentsOf: bytes)
        if growth.isWorthAnotherLook(file.count) { try look() }
    }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        if growth.hasGrown(file.count) { try look() }
        return isAnimated ? try firstFrame() : try still?.preview(options)
    }

    private func look() throws(ImageError) {
        if still == nil, !isAnimated { try begin() }
        if let still {
            try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try still.update(bytes, isCancelled: options.isCancelled)
            }
        }
    }

    private func begin() throws(ImageError) {
        try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            guard try Self.isReady(bytes) else { return }
            // Without an error in the header, what is missing is still to come.
            guard let file = try? WebPFile(bytes), let frame = file.frames.first else { return }
            try options.limits.check(file.header)
            isAnimated = file.isAnimated
            let data = UnsafeBufferPointer(rebasing: bytes[frame.data.lowerBound...])
            guard !isAnimated, WebPArrivingImage.hasFeatures(data) else { return }
            still = try WebPArrivingImage(
                file.header, colors: file.colors(in: bytes), from: frame.data.lowerBound, data, options)
        }
    }

    /// Whether the container's header has come, and the EXIF that it announces, which stands behind the image and may
    /// turn it: until then no preview would be upright.
    private static func isReady(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Bool {
        let isOther = bytes.count >= 12 && !bytes[8...11].elementsEqual("WEBP".utf8)
        guard "RIFF".utf8.starts(with: bytes.prefix(4)), !isOther else {
            throw .badData("This is no WebP: its signature is missing or damaged.")
        }
        var data = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        let demuxer = WebPDemuxPartial(&data, &state)
        defer { WebPDemuxDelete(demuxer) }
        guard state != WEBP_DEMUX_PARSE_ERROR else {
            throw .badData("The WebP is damaged, or cut off before its header ends.")
        }
        guard let demuxer else { return false }
        let isAnnounced = WebPDemuxGetI(demuxer, WEBP_FF_FORMAT_FLAGS) & EXIF_FLAG.rawValue != 0
        guard isAnnounced, state != WEBP_DEMUX_DONE else { return true }
        var chunk = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        return WebPDemuxGetChunk(demuxer, "EXIF", 1, &chunk) != 0
    }

    private func firstFrame() throws(ImageError) -> ImagePreview? {
        guard !hasShownFrame else { return nil }
        options.frame = 0
        options.allowsPartial = true
        do {
            var image = try WebPCoder().decode(Data(file), options)
            image.metadata.isPartial = true
            hasShownFrame = true
            file = []
            return ImagePreview(image: image)
        } catch {
            // Before the frame is whole there is nothing to show.
            guard case .badData = error else { throw error }
            return nil
        }
    }
}

/// A still WebP whose header has come, decoded by libwebp as far as its data has.
final class WebPArrivingImage {
    /// Where libwebp puts the rows.
    private enum Room {
        case canvas(ArrivingCanvas)
        case planes(WebPThumbnail)
    }

    private let header: ImageHeader
    /// Where the image's data starts in the file.
    private let start: Int
    private let isOpaque: Bool
    private let colors: ColorDescription
    /// The size to show, lying as stored.
    private let size: PixelSize
    private let room: Room
    /// How many rows the room has.
    private let height: Int
    // libwebp keeps the address.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private var rowCount = 0
    private var shownRowCount = 0
    private var usedCount = 0

    /// Whether all rows have come.
    var isWhole: Bool { rowCount == height }

    /// - Parameters:
    ///   - start: where the image's data starts in the file.
    ///   - data: that data, at least as much as `hasFeatures` asks for.
    init(
        _ header: ImageHeader, colors: ColorDescription, from start: Int, _ data: UnsafeBufferPointer<UInt8>,
        _ options: DecodeOptions
    ) throws(ImageError) {
        self.colors = colors
        self.header = header
        self.start = start
        isOpaque = WebPRaster.isOpaque(data)
        size = options.storedTargetSize(for: header)
        var settings = try WebPRaster.config()
        if let thumbnail = try WebPThumbnail(data, stored: header.storedSize, size: size) {
            thumbnail.configure(&settings)
            room = .planes(thumbnail)
            height = header.storedSize.height
        } else {
            let canvas = try ArrivingCanvas(WebPRaster.scaledSize(of: header.storedSize, for: size))
            settings.draw(
                in: canvas.bytes, bytesPerRow: canvas.bytesPerRow, size: canvas.size, from: header.storedSize,
                isOpaque: isOpaque)
            room = .canvas(canvas)
            height = canvas.size.height
        }
        config = .allocate(capacity: 1)
        config.initialize(to: settings)
        guard let decoder = WebPIDecode(nil, 0, config) else {
            config.deallocate()
            throw .unsupported("There is no memory left to decode the WebP.")
        }
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        config.deallocate()
    }

    /// Whether the data says how it is coded.
    static func hasFeatures(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(data.baseAddress, data.count, &features) == VP8_STATUS_OK
    }

    /// Goes as far as the file has come, all of which is `file`, in steps between which cancellation is asked for.
    func update(_ file: UnsafeBufferPointer<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        guard !isWhole, file.count > start else { return }
        let data = UnsafeBufferPointer(rebasing: file[start...])
        let step = WebPRaster.step(of: data)
        while usedCount < data.count {
            if isCancelled() { throw .cancelled }
            usedCount = min(usedCount + step, data.count)
            switch WebPIUpdate(decoder, data.baseAddress, usedCount) {
            case VP8_STATUS_OK:
                rowCount = height
                return
            case VP8_STATUS_SUSPENDED: break
            default: throw .badData("The WebP is damaged.")
            }
        }
        rowCount = max(rowCount, WebPRaster.rowCount(of: decoder))
    }

    /// The rows that have come, where some are new.
    func preview(_ options: DecodeOptions) throws(ImageError) -> ImagePreview? {
        guard rowCount > shownRowCount else { return nil }
        shownRowCount = rowCount
        let pixels = try pixels(options.isCancelled)
        let image = try DecodedImage(
            stored: pixels, header: header, options: options, colors: colors, isPartial: true)
        return ImagePreview(image: image)
    }

    private func pixels(_ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        switch room {
        case .planes(let thumbnail): return try thumbnail.pixels(rowCount: rowCount, isCancelled: isCancelled)
        case .canvas(let canvas):
            let pixels = try canvas.pixels(rowCount: rowCount, isOpaque: isOpaque) { rows in
                // A lossless image that says so may hold other alphas all the same.
                if isOpaque { rows.makeOpaque() }
            }
            return try pixels.resized(to: size, isCancelled: isCancelled)
        }
    }
}
