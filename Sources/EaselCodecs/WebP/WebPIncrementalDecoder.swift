import CWebP
public import EaselCore
import EaselFoundation

extension WebPCoder: IncrementalDecoding {
    /// Creates a decoder that shows the rows of a still image as they arrive, or the first frame of an animation once
    /// it is complete. Nothing is shown before announced EXIF arrives. It follows the image and can rotate it.
    ///
    /// Buffers the whole file, because libwebp needs it for each update.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        WebPIncrementalDecoder(options)
    }
}

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
            // If the header is valid, the frame has not arrived yet.
            guard let file = try? WebPFile(bytes), let frame = file.frames.first else { return }
            try options.limits.check(file.header)
            isAnimated = file.isAnimated
            let data = UnsafeBufferPointer(rebasing: bytes[frame.data.lowerBound...])
            guard !isAnimated, WebPArrivingImage.hasFeatures(data) else { return }
            still = try WebPArrivingImage(
                file.header, colors: file.colors(in: bytes), from: frame.data.lowerBound, data, options)
        }
    }

    /// Returns whether the container's header and the EXIF that it announces have arrived.
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
            // An incomplete frame has nothing to show.
            guard case .badData = error else { throw error }
            return nil
        }
    }
}

/// A still WebP, after its header has arrived. libwebp decodes all data received so far.
final class WebPArrivingImage {
    /// The destination of the decoded rows.
    private enum Room {
        case canvas(ArrivingCanvas)
        case planes(WebPThumbnail)
    }

    private let header: ImageHeader
    /// The offset of the image data in the file.
    private let start: Int
    private let isOpaque: Bool
    private let colors: ColorDescription
    /// The target size, before the orientation is applied.
    private let size: PixelSize
    private let room: Room
    /// The number of rows in the destination.
    private let height: Int
    // libwebp stores this address.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private var rowCount = 0
    private var shownRowCount = 0
    private var usedCount = 0

    /// Whether all rows have arrived.
    var isWhole: Bool { rowCount == height }

    /// - Parameters:
    ///   - start: the offset of the image data in the file.
    ///   - data: the image data, enough for `hasFeatures`.
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

    /// Returns whether the data contains the bitstream features.
    static func hasFeatures(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(data.baseAddress, data.count, &features) == VP8_STATUS_OK
    }

    /// Decodes as far as `file`, the data received so far, allows. Checks for cancellation between steps.
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

    /// Returns the rows received so far, or `nil` if none are new.
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
                // A lossless image marked as opaque can contain other alpha values.
                if isOpaque { rows.makeOpaque() }
            }
            return try pixels.resized(to: size, isCancelled: isCancelled)
        }
    }
}
