import CEaselJPEG
public import EaselCore

public import EaselFoundation

extension JPEGCoder: ImageEncoding {
    /// Encodes a baseline or progressive JPEG in `options.quality`. Transparent pixels are laid over
    /// `options.background`.
    ///
    /// An image in Display P3 gets its ICC profile.
    ///
    /// Unless the options say otherwise, colors have half the resolution in both directions up to a quality of 0.9, as
    /// cameras write them.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 65,500 pixels; `.tooLarge` if no quality reaches the
    ///   requested size.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: true) { (image, options) throws(ImageError) in
            try Self.write(image, options)
        }
    }

    private static func write(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        guard max(image.size.width, image.size.height) <= JPEGDecompressor.longestSide else {
            throw .unsupported(
                "A JPEG has at most 65,500 pixels a side; this image has \(image.size). Scale it first.")
        }
        let compressor = try JPEGCompressor(image.size, options)
        if image.metadata.colorSpace == .displayP3, let profile = ICCProfile.displayP3 {
            try compressor.write(profile)
        }
        if image.pixels.isOpaque {
            try write(image.pixels, to: compressor)
        } else {
            try write(image.pixels, over: options.background, to: compressor)
        }
        let file = try compressor.finish()
        guard let metadata = options.metadataToWrite else { return file }
        return try JPEGMetadata.insert(metadata, into: file)
    }

    private static func write(_ pixels: PixelBuffer, to compressor: borrowing JPEGCompressor) throws(ImageError) {
        try pixels.withUnsafeBytes { (bytes) throws(ImageError) in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            try compressor.write(start, bytesPerRow: pixels.bytesPerRow, rowCount: pixels.height)
        }
    }

    /// Writes an image over a background, one row at a time, so that no second image is needed.
    private static func write(
        _ pixels: PixelBuffer, over background: ImageColor, to compressor: borrowing JPEGCompressor
    ) throws(ImageError) {
        let color = PackedPixel.opaque(red: background.red, green: background.green, blue: background.blue)
        var row = [UInt32](repeating: 0, count: pixels.width)
        for y in 0..<pixels.height {
            pixels.withUnsafeBytes { bytes in
                for x in 0..<pixels.width {
                    let pixel = bytes.load(fromByteOffset: y * pixels.bytesPerRow + x * 4, as: UInt32.self)
                    row[x] = PackedPixel.over(pixel, color)
                }
            }
            try row.span.withUnsafeBytes { (bytes) throws(ImageError) in
                guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
                try compressor.write(start, bytesPerRow: bytes.count, rowCount: 1)
            }
        }
    }
}

/// The libjpeg state for one file to write.
private struct JPEGCompressor: ~Copyable {
    private let encoder: OpaquePointer

    init(_ size: PixelSize, _ options: EncodeOptions) throws(ImageError) {
        let quality = min(max(options.quality, 0), 1)
        let chroma = options.chromaSubsampling ?? (quality > 0.9 ? .full : .quarter)
        let parameters = easel_jpeg_parameters(
            quality: Int32((quality * 99).rounded()) + 1, columns_per_color: chroma == .full ? 1 : 2,
            rows_per_color: chroma == .quarter ? 2 : 1,
            has_own_tables: options.optimizesHuffmanTables || (options.effort ?? 0) >= 3,
            is_progressive: options.isProgressive)
        guard let encoder = easel_jpeg_encoder_open(UInt32(size.width), UInt32(size.height), parameters) else {
            throw Self.failure
        }
        self.encoder = encoder
    }

    deinit {
        easel_jpeg_encoder_close(encoder)
    }

    func write(_ rows: UnsafePointer<UInt8>, bytesPerRow: Int, rowCount: Int) throws(ImageError) {
        guard easel_jpeg_encoder_write_rows(encoder, rows, bytesPerRow, Int32(rowCount)) else { throw Self.failure }
    }

    /// Writes an ICC profile. Call it before writing rows.
    func write(_ profile: ICCProfile) throws(ImageError) {
        guard easel_jpeg_encoder_write_profile(encoder, profile.bytes, profile.bytes.count) else { throw Self.failure }
    }

    func finish() throws(ImageError) -> Data {
        var count = 0
        guard let bytes = easel_jpeg_encoder_finish(encoder, &count) else { throw Self.failure }
        return Data(UnsafeBufferPointer(start: bytes, count: count))
    }

    private static let failure = ImageError.unsupported("The JPEG cannot be written: no memory is available.")
}
