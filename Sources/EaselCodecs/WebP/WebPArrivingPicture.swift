import CWebP
import EaselCore

/// A still WebP whose header has come, decoded by libwebp as far as its data has.
final class WebPArrivingPicture {
    private let header: ImageHeader
    /// Where the picture's data starts in the file.
    private let start: Int
    private let isOpaque: Bool
    private let colors: ColorDescription
    private let canvas: ArrivingCanvas
    // libwebp keeps the address.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private var rowCount = 0
    private var shownRowCount = 0
    private var usedCount = 0

    /// Whether all rows have come.
    var isWhole: Bool { rowCount == canvas.size.height }

    /// - Parameters:
    ///   - start: where the picture's data starts in the file.
    ///   - data: that data, at least as much as `hasFeatures` asks for.
    init(
        _ header: ImageHeader, colors: ColorDescription, from start: Int, _ data: UnsafeBufferPointer<UInt8>,
        _ options: DecodeOptions
    ) throws(ImageError) {
        self.colors = colors
        let size = WebPRaster.scaledSize(
            of: header.storedSize, for: options.storedTargetSize(for: header))
        self.header = header
        self.start = start
        isOpaque = WebPRaster.isOpaque(data)
        canvas = try ArrivingCanvas(size)
        config = .allocate(capacity: 1)
        config.initialize(to: WebPDecoderConfig())
        guard WebPInitDecoderConfig(config) != 0, let stride = Int32(exactly: canvas.bytesPerRow) else {
            config.deallocate()
            throw .unsupported("This machine's libwebp cannot decode a picture of \(size).")
        }
        config.pointee.output.colorspace = isOpaque ? MODE_BGRA : MODE_bgrA
        config.pointee.output.is_external_memory = 1
        config.pointee.output.u.RGBA.rgba = canvas.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        config.pointee.output.u.RGBA.stride = stride
        config.pointee.output.u.RGBA.size = canvas.bytes.count
        if size != header.storedSize {
            config.pointee.options.use_scaling = 1
            config.pointee.options.scaled_width = Int32(size.width)
            config.pointee.options.scaled_height = Int32(size.height)
        }
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
                rowCount = canvas.size.height
                return
            case VP8_STATUS_SUSPENDED: break
            default: throw .badData("The WebP is damaged.")
            }
        }
        var rows: Int32 = 0
        if WebPIDecGetRGB(decoder, &rows, nil, nil, nil) != nil { rowCount = Int(rows) }
    }

    /// The rows that have come, where some are new.
    func preview(_ options: DecodeOptions) throws(ImageError) -> ImagePreview? {
        guard rowCount > shownRowCount else { return nil }
        shownRowCount = rowCount
        let pixels = try canvas.pixels(rowCount: rowCount, isOpaque: isOpaque) { rows in
            // A lossless picture that says so may hold other alphas all the same.
            if isOpaque { rows.makeOpaque() }
        }
        let size = options.storedTargetSize(for: header)
        let image = try DecodedImage(
            stored: pixels.resized(to: size, isCancelled: options.isCancelled), header: header, options: options,
            colors: colors, isPartial: true)
        return ImagePreview(image: image)
    }
}
