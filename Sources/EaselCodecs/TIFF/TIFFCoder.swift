#if TIFF
import CEaselTIFF
public import EaselCore
public import EaselFoundation

/// Reads TIFF and BigTIFF through libtiff: in strips and tiles, of every compression that libtiff has, bit maps, gray,
/// palettes, RGB, CMYK and YCbCr, in whole numbers up to 32 bits and in floating point up to 64, all samples of a pixel together
/// or in planes. Of a file with several pages, the first; of bands beyond colors and alpha, none.
///
/// A request for 16 bits a channel gets them of gray, RGB and CMYK that have more than 8. Profiles are not applied. Numbers in
/// floating point are taken for light from 0 to 1; of signed ones, 0 and what is below is black.
public struct TIFFCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `tiff`.
    public var format: ImageFormat { .tiff }

    /// Reads the first page's directory.
    ///
    /// - Throws: `ImageError.badData` for what is no TIFF, or damaged before its first image.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try TIFFReader(bytes, limits: ImageLimits()).header
        }
    }

    /// Decodes the first page.
    ///
    /// A damaged or cut-off file is an error, or with `allowsPartial` what is there of it over transparency.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for colors, numbers and
    ///   compressions that libtiff does not know, `.cancelled`.
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
            // Rows are read from the top on, so that it takes another reader.
            let deep = try samples.deepPixels(
                TIFFReader(bytes, limits: options.limits), size: header.storedSize, isCancelled: options.isCancelled)
            return try image.withDeepPixels(deep, header: header, options: options, colors: .sRGB)
        }
    }
}

/// The decoded pixels of a TIFF's first page.
struct TIFFImage {
    let pixels: PixelBuffer
    /// Whether some of it could not be read; that is clear.
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

    /// What libtiff turns into RGBA: a strip or a row of tiles at a time, so that cancellation can be asked between them.
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
            // Of what cannot be read nothing is written.
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

    /// R, G, B, A in memory order as B, G, R, A.
    @inline(__always)
    private static func bgra(_ pixel: UInt32) -> UInt32 {
        pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | (pixel >> 16) & 0xFF
    }
}
#endif
