import CWebP
public import EaselCore
public import EaselFoundation

extension WebPCoder: ImageEncoding {
    /// Writes lossy WebP of `options.quality`, or lossless WebP for a quality of 1 or on request. Alpha is kept.
    ///
    /// Converts colors to sRGB, since the file is written without a profile.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: !options.isLosslessWebP) { (image, options) throws(ImageError) in
            try Self.write(image, options)
        }
    }

    private static func write(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try checkSize(image.size)
        let image = try image.inStandardColors()
        let pixels = try StraightPixels(image.pixels, .bgra)
        let width = Int32(image.size.width)
        let height = Int32(image.size.height)
        let stride = width * 4
        let start = pixels.memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var output: UnsafeMutablePointer<UInt8>?
        let count =
            options.isLosslessWebP
            ? WebPEncodeLosslessBGRA(start, width, height, stride, &output)
            : WebPEncodeBGRA(start, width, height, stride, options.webPQuality, &output)
        defer { WebPFree(output) }
        guard count > 0, let output else { throw .unsupported("The WebP cannot be written: there is no memory left.") }
        let file = Data(UnsafeBufferPointer(start: output, count: count))
        guard let kept = options.keptMetadata else { return file }
        return try insert(kept, into: file)
    }

    static func checkSize(_ size: PixelSize) throws(ImageError) {
        guard max(size.width, size.height) > Int(WEBP_MAX_DIMENSION) else { return }
        throw .unsupported(
            "A WebP has at most \(WEBP_MAX_DIMENSION) pixels a side; this image has \(size). Scale it first.")
    }
}

extension EncodeOptions {
    var isLosslessWebP: Bool { isLossless || quality >= 1 }

    /// The quality on libwebp's scale, 0 to 100.
    var webPQuality: Float { Float(min(max(quality, 0), 1) * 100) }
}

extension WebPCoder: AnimationEncoding {
    /// Writes an animated WebP through libwebpmux, which stores only the changes of each frame.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit, and the errors of the frames.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(frames, isLossy: !options.isLosslessWebP) { (frames, options) throws(ImageError) in
            try Self.checkSize(frames.size)
            let writer = try WebPAnimationWriter(frames.size, loopCount: frames.loopCount, options)
            for index in 0..<frames.count { try writer.append(try frames.frame(index)) }
            return try writer.finish()
        }
    }
}

/// A libwebpmux encoder for one animation.
private final class WebPAnimationWriter {
    private let encoder: OpaquePointer
    private var config = WebPConfig()
    /// The time since the start, so that rounding errors do not add up.
    private var elapsed = Duration.zero
    private static let noMemory = ImageError.unsupported("The WebP cannot be written: there is no memory left.")

    init(_ size: PixelSize, loopCount: Int, _ options: EncodeOptions) throws(ImageError) {
        var animation = WebPAnimEncoderOptions()
        guard WebPAnimEncoderOptionsInit(&animation) != 0, WebPConfigInit(&config) != 0 else { throw Self.noMemory }
        animation.anim_params.loop_count = Int32(clamping: loopCount)
        config.quality = options.webPQuality
        if options.isLosslessWebP {
            config.lossless = 1
            // For lossless files, the quality is the effort.
            config.quality = 75
        }
        guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &animation) else {
            throw Self.noMemory
        }
        self.encoder = encoder
    }

    deinit {
        WebPAnimEncoderDelete(encoder)
    }

    func append(_ frame: AnimationFrames.Frame) throws(ImageError) {
        let pixels = try StraightPixels(frame.pixels, .bgra)
        var image = WebPPicture()
        guard WebPPictureInit(&image) != 0 else { throw Self.noMemory }
        defer { WebPPictureFree(&image) }
        image.use_argb = 1
        image.width = Int32(frame.pixels.width)
        image.height = Int32(frame.pixels.height)
        let start = pixels.memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard WebPPictureImportBGRA(&image, start, image.width * 4) != 0,
            WebPAnimEncoderAdd(encoder, &image, milliseconds, &config) != 0
        else { throw Self.noMemory }
        elapsed += frame.duration
    }

    func finish() throws(ImageError) -> Data {
        var file = WebPData()
        WebPDataInit(&file)
        defer { WebPDataClear(&file) }
        // A last call without an image sets the end of the last frame.
        guard WebPAnimEncoderAdd(encoder, nil, milliseconds, nil) != 0, WebPAnimEncoderAssemble(encoder, &file) != 0
        else { throw Self.noMemory }
        return Data(UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    private var milliseconds: Int32 { Int32(clamping: elapsed.milliseconds) }
}
