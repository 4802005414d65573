#if TIFF
import CEaselTIFF
public import EaselCore
public import EaselFoundation

/// A coder that reads TIFF and BigTIFF through libtiff.
///
/// Supports strips and tiles, every compression of libtiff, bilevel, gray, palette, RGB, CMYK and YCbCr images,
/// integers up to 32 bits, floating point up to 64 bits, and chunky and planar layouts. Decodes only the first page.
/// Ignores extra samples other than alpha.
///
/// Gray, RGB and CMYK images with more than 8 bits can be decoded to 16 bits per channel. Profiles are not applied.
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
            try reader.checkCompression()
            let samples = TIFFSamples(reader.fields)
            if samples == nil { try reader.beginBlocks() }
            let image = try DecodedImage(
                header, size: header.storedSize, hasAlpha: header.hasAlpha, options
            ) { (canvas) throws(ImageError) in
                let isComplete = try reader.draw(samples, on: canvas, options.isCancelled)
                guard isComplete || options.allowsPartial else { throw reader.failure }
                return isComplete
            }
            guard options.wantsDeepPixels(of: header), !image.metadata.isPartial, let samples, samples.isDeep
            else { return image }
            // libtiff reads rows in order, so this pass needs a second reader.
            let deep = try samples.deepPixels(
                TIFFReader(bytes, limits: options.limits), size: header.storedSize, isCancelled: options.isCancelled)
            return try image.withDeepPixels(deep, header: header, options: options, colors: .sRGB)
        }
    }
}

extension TIFFReader {
    /// Draws the first page. Returns whether it is complete; unreadable parts are transparent.
    fileprivate func draw(
        _ samples: TIFFSamples?, on canvas: Canvas, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        guard let samples else { return try drawBlocks(on: canvas, isCancelled) }
        return try forEachRun(of: canvas.size, samples, isCancelled: isCancelled, missing: canvas.clear) {
            source, x, y, width in samples.expand(source, width: width, into: canvas.row(y) + x)
        }
    }

    /// Draws images through libtiff's RGBA conversion by strips or rows of tiles. Checks for cancellation in between.
    private func drawBlocks(on canvas: Canvas, _ isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let size = canvas.size
        try checkBlock(PixelSize(Int(fields.block_width), 1), in: size)
        let step = min(size.height, max(1, Int(fields.block_height)))
        let memory = try ScratchMemory(count: size.width * step * 4, for: size)
        var isComplete = true
        for y in stride(from: 0, to: size.height, by: step) {
            if isCancelled() { throw .cancelled }
            let count = min(step, size.height - y)
            // libtiff leaves unreadable parts unwritten.
            memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            if !read(block: y, rowCount: count, into: memory.bytes) { isComplete = false }
            let pixels = memory.bytes.assumingMemoryBound(to: UInt32.self)
            for row in 0..<count {
                let target = canvas.row(y + row)
                for x in 0..<size.width { target[x] = RGBARows.swapped(pixels[row * size.width + x]) }
            }
        }
        return isComplete
    }
}

/// A libtiff reader for one file.
struct TIFFReader: ~Copyable {
    private let reader: OpaquePointer
    /// The fields of the first page.
    let fields: easel_tiff_header

    /// - Parameter bytes: must outlive the reader.
    /// - Throws: `ImageError.badData` if the data is damaged or is not a TIFF.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        // The largest strip, at 16 bytes per pixel, plus the same amount for the tables of the file.
        let (limit, overflow) = limits.pixels.multipliedReportingOverflow(by: 32)
        guard
            let reader = easel_tiff_reader_open(
                bytes.baseAddress, bytes.count, overflow ? Int.max : max(limit, 64 << 20))
        else { throw .badData("Not a TIFF file.") }
        var fields = easel_tiff_header()
        guard easel_tiff_reader_read_header(reader, &fields) else {
            defer { easel_tiff_reader_close(reader) }
            throw Self.failure(of: reader)
        }
        self.reader = reader
        self.fields = fields
    }

    deinit { easel_tiff_reader_close(reader) }

    /// The last error of libtiff.
    var failure: ImageError { Self.failure(of: reader) }

    private static func failure(of reader: OpaquePointer) -> ImageError {
        let message = String(cString: easel_tiff_message(reader))
        return message.isEmpty ? .damaged : .badData("The TIFF image is damaged or truncated: \(message).")
    }

    var header: ImageHeader {
        var header = ImageHeader(
            format: .tiff, storedSize: PixelSize(Int(fields.width), Int(fields.height)),
            orientation: ImageOrientation(rawValue: Int(fields.orientation)) ?? .up,
            hasAlpha: fields.alpha != EASEL_TIFF_OPAQUE, bitDepth: Int(fields.bits_per_sample))
        if let profile = fields.profile {
            header.profileName = ICCProfileName.read(
                from: Span(_unsafeStart: profile, count: Int(fields.profile_count)))
        }
        return header
    }

    /// The byte count of a row of a strip or tile.
    var rowByteCount: Int { fields.is_tiled ? easel_tiff_tile_row_size(reader) : easel_tiff_row_size(reader) }

    /// Reads a row of a striped image, or of one of its planes, into `rowByteCount` bytes; or the tile at a point, into
    /// as many bytes for each row of a tile.
    func read(_ rectangle: PixelRectangle, plane: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        let rowCount = fields.is_tiled ? Int(fields.block_height) : 1
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count == rowByteCount * rowCount
        else { return false }
        return fields.is_tiled
            ? easel_tiff_read_tile(reader, start, bytes.count, UInt32(rectangle.x), UInt32(rectangle.y), UInt32(plane))
            : easel_tiff_read_row(reader, start, UInt32(rectangle.y), UInt32(plane))
    }

    /// Checks that libtiff supports the compression. libtiff itself would report damaged data.
    ///
    /// - Throws: `ImageError.unsupported` if it does not.
    func checkCompression() throws(ImageError) {
        guard fields.has_decoder else { throw .unsupported("TIFF compression \(fields.compression) is not supported.") }
    }

    /// - Throws: `ImageError.unsupported` for color spaces that libtiff does not support.
    func beginBlocks() throws(ImageError) {
        guard fields.format != EASEL_TIFF_COMPLEX else {
            throw .unsupported("TIFF with complex numbers is not supported.")
        }
        guard !easel_tiff_begin_blocks(reader) else { return }
        throw .unsupported("Unsupported TIFF: \(String(cString: easel_tiff_message(reader))).")
    }

    /// Reads whole rows of R, G, B, A.
    func read(block row: Int, rowCount: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt32.self),
            bytes.count >= rowCount * Int(fields.width) * 4
        else { return false }
        return easel_tiff_read_block(reader, start, UInt32(row), UInt32(rowCount))
    }
}

extension TIFFReader {
    /// Reads all samples of an image from top to bottom and passes them to `body` in runs within one row. The samples
    /// of a pixel are interleaved, whatever the layout of the file.
    ///
    /// - Parameters:
    ///   - missing: receives each part that cannot be read.
    ///   - body: receives the samples of a run, its start, and its pixel count. Runs are inside the image.
    /// - Returns: whether the image is complete.
    func forEachRun(
        of size: PixelSize, _ samples: TIFFSamples, isCancelled: () -> Bool, missing: (PixelRectangle) -> Void,
        _ body: (UnsafeRawPointer, _ x: Int, _ y: Int, _ width: Int) -> Void
    ) throws(ImageError) -> Bool {
        let block =
            fields.is_tiled ? PixelSize(Int(fields.block_width), Int(fields.block_height)) : PixelSize(size.width, 1)
        let (byteCount, overflow) = rowByteCount.multipliedReportingOverflow(by: block.height)
        guard block.width > 0, block.height > 0, !overflow,
            rowByteCount >= samples.byteCount(width: block.width, ofPlane: samples.isPlanar)
        else { throw failure }
        try checkBlock(block, channels: samples.channels, in: size)
        let blocks = try TIFFBlocks(self, samples, block, byteCount: byteCount, for: size)
        var isComplete = true
        let rowsBetweenCancellationChecks = fields.is_tiled ? 1 : max(1, (1 << 18) / size.width)
        for y in stride(from: 0, to: size.height, by: block.height) {
            for x in stride(from: 0, to: size.width, by: block.width) {
                if y % rowsBetweenCancellationChecks == 0, isCancelled() { throw .cancelled }
                let rectangle = PixelRectangle(x: x, y: y, size: block).clipped(to: size)
                if blocks.read(self, at: rectangle) {
                    blocks.forEachRow(of: rectangle) { body($0, x, $1, rectangle.size.width) }
                } else if fields.is_tiled {
                    missing(rectangle)
                    isComplete = false
                } else {
                    // After a failed strip, libtiff cannot locate the following ones.
                    missing(PixelRectangle(x: 0, y: y, size: PixelSize(size.width, size.height - y)))
                    return false
                }
            }
        }
        return isComplete
    }

    /// Rejects tiles with over 16 times the pixels of the image, as they may extend past its edges, and rows with more
    /// pixels than the image. Four samples, used or not, count as a pixel.
    func checkBlock(_ block: PixelSize, channels: Int = 4, in size: PixelSize) throws(ImageError) {
        let samples = PixelSize(block.width * max(4, channels), block.height).area
        guard let samples, let whole = size.area, samples <= max(1 << 24, whole * (fields.is_tiled ? 64 : 4)) else {
            throw .badData("The TIFF blocks of \(block) pixels are too large for the image.")
        }
    }
}

/// A buffer for a tile or a row of a strip, with interleaved samples.
private struct TIFFBlocks: ~Copyable {
    private let samples: TIFFSamples
    /// All samples; planes follow each other.
    private let stored: ScratchMemory
    /// The byte count of each plane.
    private let storedByteCount: Int
    /// The interleaved planes; empty for chunky images.
    private let pixels: ScratchMemory
    private let bytesPerRow: Int
    private let storedBytesPerRow: Int

    init(
        _ reader: borrowing TIFFReader, _ samples: TIFFSamples, _ block: PixelSize, byteCount: Int, for size: PixelSize
    ) throws(ImageError) {
        let storedBytesPerRow = reader.rowByteCount
        let bytesPerRow = samples.isPlanar ? samples.byteCount(width: block.width) : storedBytesPerRow
        let (count, overflow) = bytesPerRow.multipliedReportingOverflow(by: samples.isPlanar ? block.height : 0)
        let (storedCount, isTooLarge) = byteCount.multipliedReportingOverflow(by: max(1, samples.planeCount))
        guard !overflow, !isTooLarge else { throw reader.failure }
        let stored = try ScratchMemory(count: storedCount, for: size)
        let pixels = try ScratchMemory(count: count, for: size)
        self.samples = samples
        self.storedBytesPerRow = storedBytesPerRow
        self.bytesPerRow = bytesPerRow
        storedByteCount = byteCount
        self.stored = stored
        self.pixels = pixels
    }

    /// The samples of the pixels, row by row.
    private var start: UnsafeMutableRawPointer? {
        samples.isPlanar ? pixels.bytes.baseAddress : stored.bytes.baseAddress
    }

    func forEachRow(of rectangle: PixelRectangle, _ body: (UnsafeRawPointer, _ y: Int) -> Void) {
        guard let start else { return }
        for y in 0..<rectangle.size.height { body(UnsafeRawPointer(start + y * bytesPerRow), rectangle.y + y) }
    }

    /// Reads the block at a position inside the image. Returns whether the block is complete.
    func read(_ reader: borrowing TIFFReader, at rectangle: PixelRectangle) -> Bool {
        guard let planes = stored.bytes.baseAddress, let start else { return false }
        for plane in 0..<max(1, samples.planeCount) {
            let range = (plane * storedByteCount)..<((plane + 1) * storedByteCount)
            let bytes = UnsafeMutableRawBufferPointer(rebasing: stored.bytes[range])
            guard reader.read(rectangle, plane: plane, into: bytes) else { return false }
        }
        guard samples.isPlanar else { return true }
        for y in 0..<rectangle.size.height {
            samples.interleave(
                UnsafeRawPointer(planes + y * storedBytesPerRow), distance: storedByteCount,
                width: rectangle.size.width,
                into: start + y * bytesPerRow)
        }
        return true
    }
}
#endif
