import CWebP
import EaselCore

/// A decoder of one still image or frame with libwebp, directly into the pixel layout of Easel.
struct WebPRaster {
    let pixels: PixelBuffer
    /// Whether the data is truncated. Missing pixels are transparent.
    let isPartial: Bool

    /// - Parameters:
    ///   - data: the data of only this frame. The container may contradict it.
    ///   - stored: the size of the image.
    ///   - size: the target size, at most `stored`. libwebp scales while decoding.
    ///   - isAbandonable: whether a cancelled decode may finish in the background, so that one call suffices.
    /// - Throws: `ImageError.badData` for damaged data, and for truncated data unless `allowsPartial`.
    init(
        _ data: UnsafeBufferPointer<UInt8>, stored: PixelSize, size: PixelSize, allowsPartial: Bool,
        isAbandonable: Bool = false, isCancelled: () -> Bool
    ) throws(ImageError) {
        var isPartial = false
        let features = Self.features(data)
        let isOpaque = features.map { $0.has_alpha == 0 } ?? false
        let pixels = try PixelBuffer(size: size, isOpaque: isOpaque) {
            (target, bytesPerRow) throws(ImageError) in
            var config = try Self.config()
            config.draw(in: target, bytesPerRow: bytesPerRow, size: size, from: stored, isOpaque: isOpaque)
            // A single call is a quarter faster. Truncated or damaged data is decoded in steps.
            let isDone = isAbandonable && WebPDecode(data.baseAddress, data.count, &config) == VP8_STATUS_OK
            let stream = isDone ? nil : try WebPStream(config)
            try stream?.decode(data, isCancelled: isCancelled)
            let rows = stream?.rowCount ?? size.height
            // A lossless image marked as opaque can contain other alpha values.
            if isOpaque, features?.format == 2, let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: size) {
                canvas.makeOpaque()
            }
            guard rows < size.height else { return }
            guard allowsPartial else { throw .truncated }
            isPartial = true
            UnsafeMutableRawBufferPointer(rebasing: target[(rows * bytesPerRow)...])
                .initializeMemory(as: UInt8.self, repeating: 0)
        }
        self.pixels = isPartial ? PixelBuffer(pixels, isOpaque: false) : pixels
        self.isPartial = isPartial
    }

    /// Returns the size to which libwebp scales an image of `size`: twice the target, since libwebp averages and the
    /// Lanczos filter afterwards is sharper. A size above half of the image returns the full size.
    static func scaledSize(of stored: PixelSize, for size: PixelSize) -> PixelSize {
        let twice = PixelSize(size.width * 2, size.height * 2)
        return twice.width <= stored.width && twice.height <= stored.height ? twice : stored
    }

    /// Returns whether the data marks its alpha as unused. The flags of the container can be wrong.
    static func isOpaque(_ data: UnsafeBufferPointer<UInt8>) -> Bool { features(data)?.has_alpha == 0 }

    static func features(_ data: UnsafeBufferPointer<UInt8>) -> WebPBitstreamFeatures? {
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(data.baseAddress, data.count, &features) == VP8_STATUS_OK ? features : nil
    }

    /// Returns whether the data is lossless and decodes for longer than a cancelled load may wait.
    static func isLongAndLossless(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        features(data).map { $0.format == 2 && Int($0.width) * Int($0.height) > synchronousPixelLimit } ?? false
    }

    /// Lossless images of this size decode in 15 ms, at 15 ns a pixel.
    private static let synchronousPixelLimit = 1_000_000

    /// Returns the number of bytes per decoding step, a few milliseconds of work. After each stop, libwebp decodes
    /// lossless data again from the last eighth row, so short images get a single step.
    static func step(of data: UnsafeBufferPointer<UInt8>) -> Int {
        guard features(data)?.format == 2 else { return max(1 << 10, data.count / 256) }
        return isLongAndLossless(data) ? max(128 << 10, data.count / 32) : data.count
    }

    /// Returns the initial configuration.
    ///
    /// - Throws: `ImageError.unsupported` if the library's version differs from the one that Easel was built with.
    static func config() throws(ImageError) -> WebPDecoderConfig {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw .unsupported("The libwebp version differs from the one that Easel was built with.")
        }
        return config
    }
}

/// A libwebp decoder that receives its data in steps.
final class WebPStream {
    // libwebp stores this address.
    private let config: UnsafeMutablePointer<WebPDecoderConfig>
    private let decoder: OpaquePointer
    private var usedCount = 0
    /// The number of rows decoded so far.
    private(set) var rowCount = 0
    /// Whether all rows are decoded.
    private(set) var isComplete = false

    init(_ settings: WebPDecoderConfig) throws(ImageError) {
        config = .allocate(capacity: 1)
        config.initialize(to: settings)
        guard let decoder = WebPIDecode(nil, 0, config) else {
            config.deallocate()
            throw .outOfMemory
        }
        self.decoder = decoder
    }

    deinit {
        WebPIDelete(decoder)
        config.deallocate()
    }

    /// Decodes as far as `data`, all data received so far, allows. Checks for cancellation between steps.
    ///
    /// - Throws: `ImageError.badData` for damaged data, `.cancelled`.
    func decode(_ data: UnsafeBufferPointer<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        let step = WebPRaster.step(of: data)
        while usedCount < data.count, !isComplete {
            if isCancelled() { throw .cancelled }
            usedCount = min(usedCount + step, data.count)
            let status = WebPIUpdate(decoder, data.baseAddress, usedCount)
            isComplete = status == VP8_STATUS_OK
            guard isComplete || status == VP8_STATUS_SUSPENDED else { throw .damaged }
        }
        var rows: Int32 = 0
        if isComplete {
            rowCount = Int(config.pointee.output.height)
        } else if WebPIDecodedArea(decoder, nil, nil, nil, &rows) != nil {
            rowCount = max(rowCount, Int(rows))
        }
    }
}

extension WebPDecoderConfig {
    /// Configures libwebp to scale to `size` and to write rows in Easel's layout, which must outlive the decode.
    mutating func draw(
        in bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, size: PixelSize, from stored: PixelSize,
        isOpaque: Bool
    ) {
        output.colorspace = isOpaque ? MODE_BGRA : MODE_bgrA
        output.is_external_memory = 1
        output.u.RGBA.rgba = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        output.u.RGBA.stride = Int32(clamping: bytesPerRow)
        output.u.RGBA.size = bytes.count
        guard size != stored else { return }
        options.use_scaling = 1
        options.scaled_width = Int32(clamping: size.width)
        options.scaled_height = Int32(clamping: size.height)
    }
}

/// A decoder of lossy, opaque WebP at a quarter of its size or less: libwebp decodes YUV planes, and Easel averages
/// them.
///
/// This takes a quarter of the time that libwebp's column-by-column scaling takes. The deblocking filter is disabled,
/// as in libwebp's own scaling: no prediction depends on it, and its effect is invisible at this size.
struct WebPThumbnail {
    private let image: PlanarImage
    private let block: PixelSize
    private let size: PixelSize

    /// The maximum size for planes in memory, 1.5 bytes per pixel. libwebp scales larger images row by row.
    private static let maxPixels = 24_000_000

    /// Returns `nil` for other kinds of images.
    ///
    /// - Parameters:
    ///   - data: the data of only this frame, or its beginning.
    ///   - stored: the size of the image.
    ///   - size: the requested size.
    /// - Throws: `ImageError.tooLarge` if the size overflows.
    init?(_ data: UnsafeBufferPointer<UInt8>, stored: PixelSize, size: PixelSize) throws(ImageError) {
        // Chroma is subsampled by 2, so blocks have even sizes.
        let block = PixelSize(
            ResamplerBlocks.side(from: stored.width, to: size.width) & ~1,
            ResamplerBlocks.side(from: stored.height, to: size.height) & ~1)
        guard block.width > 0, block.height > 0, stored.width * stored.height <= Self.maxPixels,
            let features = WebPRaster.features(data), features.format == 1, features.has_alpha == 0,
            // The buffers have the container's size, which the data can contradict.
            PixelSize(Int(features.width), Int(features.height)) == stored
        else { return nil }
        image = try PlanarImage(stored)
        self.block = block
        self.size = size
    }

    /// Sets the planes as libwebp's output. They are valid while this value lives.
    func configure(_ config: inout WebPDecoderConfig) {
        config.options.bypass_filtering = 1
        config.output.colorspace = MODE_YUV
        config.output.is_external_memory = 1
        var planes = WebPYUVABuffer()
        (planes.y, planes.y_stride, planes.y_size) = destination(for: image.luma)
        (planes.u, planes.u_stride, planes.u_size) = destination(for: image.blueDifference)
        (planes.v, planes.v_stride, planes.v_size) = destination(for: image.redDifference)
        config.output.u.YUVA = planes
    }

    private func destination(for plane: PlanarImage.Plane) -> (UnsafeMutablePointer<UInt8>?, Int32, Int) {
        let bytes = image.bytes(of: plane)
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return (start, Int32(clamping: plane.bytesPerRow), bytes.count)
    }

    /// Returns the first `rowCount` rows of the stored image in the requested size, over transparency.
    ///
    /// - Throws: `ImageError.cancelled`.
    func pixels(rowCount: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let extent = (
            width: Double(image.size.width) / Double(block.width),
            height: Double(image.size.height) / Double(block.height)
        )
        return try image.average(block: block, rowCount: rowCount, isCancelled: isCancelled)
            .resized(to: size, extent: extent, isCancelled: isCancelled)
    }
}
