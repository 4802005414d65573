#if TIFF
import CEaselTIFF
public import EaselCore
public import EaselFoundation

/// Reads TIFF and BigTIFF through libtiff.
///
/// Supports strips and tiles, every compression of libtiff, bilevel, gray, palette, RGB, CMYK and YCbCr images,
/// integers up to 32 bits, floating point up to 64 bits, and chunky and planar layouts. Decodes only the first page.
/// Ignores extra samples other than alpha.
///
/// Gray, RGB and CMYK images with more than 8 bits can be decoded to 16 bits a channel. Profiles are not applied.
/// Floating-point samples are linear light from 0 to 1. Negative samples are black.
public struct TIFFCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `tiff` format.
    public var format: ImageFormat { .tiff }

    /// Reads the directory of the first page.
    ///
    /// - Throws: `ImageError.badData` if the data is not a TIFF or is damaged before its first image.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try TIFFReader(bytes, limits: ImageLimits()).header
        }
    }

    /// Decodes the first page.
    ///
    /// Throws for a damaged or truncated file, unless `allowsPartial` is set. Then missing parts are transparent.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for color spaces, sample formats
    ///   and compressions that libtiff does not support, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let reader = try TIFFReader(bytes, limits: options.limits)
            let header = reader.header
            try options.check(header)
            try options.checkCancellation()
            try reader.checkCompression()
            let page = try TIFFImage(reader, size: header.storedSize, isCancelled: options.isCancelled)
            if page.isPartial, !options.allowsPartial { throw reader.failure }
            let image = try DecodedImage(
                stored: page.pixels, header: header, options: options, isPartial: page.isPartial)
            guard options.wantsDeepPixels(of: header), !page.isPartial,
                let samples = TIFFSamples(reader.fields), samples.isDeep
            else { return image }
            // libtiff reads rows in order, so this pass needs a second reader.
            let deep = try samples.deepPixels(
                TIFFReader(bytes, limits: options.limits), size: header.storedSize, isCancelled: options.isCancelled)
            return try image.withDeepPixels(deep, header: header, options: options, colors: .sRGB)
        }
    }
}

/// The decoded first page of a TIFF.
struct TIFFImage {
    let pixels: PixelBuffer
    /// Whether parts could not be read. These are transparent.
    let isPartial: Bool

    init(_ reader: borrowing TIFFReader, size: PixelSize, isCancelled: () -> Bool) throws(ImageError) {
        var isComplete = true
        let samples = TIFFSamples(reader.fields)
        if samples == nil { try reader.beginBlocks() }
        let pixels = try PixelBuffer(size: size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            guard let samples else { return isComplete = try Self.drawBlocks(reader, on: canvas, isCancelled) }
            isComplete = try reader.forEachRun(
                of: size, samples, isCancelled: isCancelled, missing: canvas.clear
            ) { source, x, y, width in
                samples.expand(source, width: width, into: canvas.row(y) + x)
            }
        }
        let isOpaque = isComplete && reader.fields.alpha == EASEL_TIFF_OPAQUE
        self.pixels = isOpaque ? PixelBuffer(pixels, isOpaque: true) : pixels
        isPartial = !isComplete
    }

    /// Draws images through libtiff's RGBA conversion by strips or rows of tiles. Checks for cancellation in between.
    private static func drawBlocks(
        _ reader: borrowing TIFFReader, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        let size = canvas.size
        try TIFFReader.checkTile(PixelSize(Int(reader.fields.block_width), 1), size)
        let step = min(size.height, max(1, Int(reader.fields.block_height)))
        let memory = try ScratchMemory(count: size.width * step * 4, for: size)
        var isComplete = true
        for y in stride(from: 0, to: size.height, by: step) {
            if isCancelled() { throw .cancelled }
            let count = min(step, size.height - y)
            // libtiff leaves unreadable parts unwritten.
            memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            if !reader.read(block: y, rowCount: count, into: memory.bytes) { isComplete = false }
            memory.bytes.withMemoryRebound(to: UInt32.self) { pixels in
                for row in 0..<count {
                    let target = canvas.row(y + row)
                    for x in 0..<size.width { target[x] = bgra(pixels[row * size.width + x]) }
                }
            }
        }
        return isComplete
    }

    /// Converts R, G, B, A in memory order to B, G, R, A.
    @inline(__always)
    private static func bgra(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }
}
#endif
