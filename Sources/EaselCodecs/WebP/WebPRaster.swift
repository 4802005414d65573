import CWebP
import EaselCore

/// Decodes one still picture or frame with libwebp, straight into pixels of Easel's layout.
struct WebPRaster {
    let pixels: PixelBuffer
    /// Whether the data ended before the picture did; what is missing is transparent.
    let isPartial: Bool

    /// - Parameters:
    ///   - data: the data of the frame alone: the container may contradict it.
    ///   - stored: the size that the picture has.
    ///   - size: the size to decode to, not above `stored`: libwebp scales row by row while it decodes.
    ///   - isAbandonable: whether nobody waits for a cancelled one, so that it is decoded in one go.
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
            // A lossless picture that says so may hold other alphas all the same.
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

    /// What libwebp scales to, for a picture of `size`: to twice as much, as it takes plain means, and Lanczos' filter is sharper. What
    /// is larger than half of the picture is decoded whole.
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
