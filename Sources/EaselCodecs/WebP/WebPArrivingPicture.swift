import CWebP
import EaselCore

/// A still WebP whose header has come, decoded by libwebp as far as its data has.
final class WebPArrivingPicture {
    /// Where libwebp puts the rows.
    private enum Room {
        case canvas(ArrivingCanvas)
        case planes(WebPThumbnail)
    }

    private let header: ImageHeader
    /// Where the picture's data starts in the file.
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
    ///   - start: where the picture's data starts in the file.
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
                // A lossless picture that says so may hold other alphas all the same.
                if isOpaque { rows.makeOpaque() }
            }
            return try pixels.resized(to: size, isCancelled: isCancelled)
        }
    }
}
