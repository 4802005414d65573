import CWebP
import EaselCore

/// Decodes one still image or frame with libwebp, straight into pixels of Easel's layout.
struct WebPRaster {
    let pixels: PixelBuffer
    /// Whether the data ended before the image did; what is missing is transparent.
    let isPartial: Bool

    /// - Parameters:
    ///   - data: the data of the frame alone: the container may contradict it.
    ///   - stored: the size that the image has.
    ///   - size: the size to decode to, not above `stored`: libwebp scales row by row while it decodes.
    ///   - isAbandonable: whether a cancelled decode may go on unnoticed, so that it needs one call.
    /// - Throws: `ImageError.badData` for damaged data, and for data that ends early unless `allowsPartial`.
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
            // In one go a quarter faster; what ends early, or is damaged, goes by steps.
            let isDone = isAbandonable && WebPDecode(data.baseAddress, data.count, &config) == VP8_STATUS_OK
            let rows = isDone ? size.height : try Self.decode(data, &config, isCancelled)
            // A lossless image that says so may hold other alphas all the same.
            if isOpaque, features?.format == 2, let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: size) {
                canvas.makeOpaque()
            }
            guard rows < size.height else { return }
            guard allowsPartial else { throw Self.cutOff }
            isPartial = true
            UnsafeMutableRawBufferPointer(rebasing: target[(rows * bytesPerRow)...])
                .initializeMemory(as: UInt8.self, repeating: 0)
        }
        self.pixels = isPartial ? PixelBuffer(pixels, isOpaque: false) : pixels
        self.isPartial = isPartial
    }

    /// What libwebp scales to, for an image of `size`: to twice as much, as it takes plain means, and Lanczos' filter is sharper. What
    /// is larger than half of the image is decoded whole.
    static func scaledSize(of stored: PixelSize, for size: PixelSize) -> PixelSize {
        let twice = PixelSize(size.width * 2, size.height * 2)
        return twice.width <= stored.width && twice.height <= stored.height ? twice : stored
    }

    /// Whether the data says that its alpha is not used. What the container's flags say need not be what it holds.
    static func isOpaque(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        features(data)?.has_alpha == 0
    }

    static func features(_ data: UnsafeBufferPointer<UInt8>) -> WebPBitstreamFeatures? {
        var features = WebPBitstreamFeatures()
        return WebPGetFeatures(data.baseAddress, data.count, &features) == VP8_STATUS_OK ? features : nil
    }

    /// Whether the data is lossless, and takes longer than a cancelled load may wait.
    static func isLongAndLossless(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        features(data).map { $0.format == 2 && Int($0.width) * Int($0.height) > quickPixels } ?? false
    }

    /// Lossless ones in 15 ms, at 15 ns a pixel.
    private static let quickPixels = 1_000_000

    /// How much libwebp is given at once: a few milliseconds' work. Lossless data it decodes again from the last eighth row
    /// after each stop, so that steps cost time: what is quickly done has one.
    static func step(of data: UnsafeBufferPointer<UInt8>) -> Int {
        guard features(data)?.format == 2 else { return max(1 << 10, data.count / 256) }
        return isLongAndLossless(data) ? max(128 << 10, data.count / 32) : data.count
    }

    /// For data that ends early.
    static let cutOff = ImageError.badData("The WebP is cut off before its end.")

    /// What libwebp starts with.
    ///
    /// - Throws: `ImageError.unsupported` where the library is not the one that Easel was built with.
    static func config() throws(ImageError) -> WebPDecoderConfig {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else {
            throw .unsupported("This machine's libwebp is of another version than Easel was built with.")
        }
        return config
    }

    /// Gives libwebp more and more of the data, so that cancellation can be asked in between. Returns the rows that
    /// came out.
    ///
    /// - Throws: `ImageError.badData` for damaged data, `.cancelled`.
    static func decode(
        _ data: UnsafeBufferPointer<UInt8>, _ config: inout WebPDecoderConfig, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Int {
        // The configuration stays at one address until the decoder is gone, as libwebp asks.
        try withUnsafeMutablePointer(to: &config) { (config) throws(ImageError) in
            guard let decoder = WebPIDecode(nil, 0, config) else {
                throw .unsupported("There is no memory left to decode the WebP.")
            }
            defer { WebPIDelete(decoder) }
            let step = Self.step(of: data)
            var count = 0
            while count < data.count {
                if isCancelled() { throw .cancelled }
                count = min(count + step, data.count)
                let status = WebPIUpdate(decoder, data.baseAddress, count)
                if status == VP8_STATUS_OK { return Int(config.pointee.output.height) }
                guard status == VP8_STATUS_SUSPENDED else { throw .badData("The WebP is damaged.") }
            }
            return rowCount(of: decoder)
        }
    }

    /// The rows that have come out so far.
    static func rowCount(of decoder: OpaquePointer) -> Int {
        var rows: Int32 = 0
        return WebPIDecodedArea(decoder, nil, nil, nil, &rows) == nil ? 0 : Int(rows)
    }
}

extension WebPDecoderConfig {
    /// Has libwebp draw in rows of Easel's layout, which must stay while it does, and scale from `stored` to `size`.
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

/// Lossy WebP without alpha to a quarter of its size and less: libwebp decodes the planes, and Easel averages them.
///
/// libwebp's own scaling goes column by column, a quarter of the time that the whole takes. And the filter that smooths the
/// edges of its blocks is left out, as libwebp does where it scales: no prediction depends on it, and it is invisible.
struct WebPThumbnail {
    private let image: PlanarImage
    private let block: PixelSize
    private let size: PixelSize

    /// The planes, of a byte and a half for each, are in memory: libwebp scales what is larger row by row.
    private static let mostPixels = 24_000_000

    /// `nil` for an image that is not of this kind.
    ///
    /// - Parameters:
    ///   - data: the data of the frame alone, or its beginning.
    ///   - stored: the size that the image has.
    ///   - size: the size that is asked for.
    /// - Throws: `ImageError.tooLarge` where it does not fit the machine.
    init?(_ data: UnsafeBufferPointer<UInt8>, stored: PixelSize, size: PixelSize) throws(ImageError) {
        // A difference of color is there for every second pixel only, so that blocks start at those.
        let block = PixelSize(
            ResamplerBlocks.side(from: stored.width, to: size.width) & ~1,
            ResamplerBlocks.side(from: stored.height, to: size.height) & ~1)
        guard block.width > 0, block.height > 0, stored.width * stored.height <= Self.mostPixels,
            let features = WebPRaster.features(data), features.format == 1, features.has_alpha == 0,
            // The room is made for the container's size: the data may contradict it.
            PixelSize(Int(features.width), Int(features.height)) == stored
        else { return nil }
        image = try PlanarImage(stored)
        self.block = block
        self.size = size
    }

    /// Tells libwebp where the planes are, which stay there while this value lives.
    func configure(_ config: inout WebPDecoderConfig) {
        config.options.bypass_filtering = 1
        config.output.colorspace = MODE_YUV
        config.output.is_external_memory = 1
        var planes = WebPYUVABuffer()
        (planes.y, planes.y_stride, planes.y_size) = room(for: image.luma)
        (planes.u, planes.u_stride, planes.u_size) = room(for: image.blueDifference)
        (planes.v, planes.v_stride, planes.v_size) = room(for: image.redDifference)
        config.output.u.YUVA = planes
    }

    private func room(for plane: PlanarImage.Plane) -> (UnsafeMutablePointer<UInt8>?, Int32, Int) {
        let bytes = image.bytes(of: plane)
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return (start, Int32(clamping: plane.bytesPerRow), bytes.count)
    }

    /// The first `rowCount` rows of the stored image in the size that was asked for, over transparency.
    ///
    /// - Throws: `ImageError.cancelled`.
    func pixels(rowCount: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let extent = (
            width: Double(image.size.width) / Double(block.width),
            height: Double(image.size.height) / Double(block.height)
        )
        return try image.averaged(block: block, rowCount: rowCount, isCancelled: isCancelled)
            .resized(to: size, extent: extent, isCancelled: isCancelled)
    }
}
