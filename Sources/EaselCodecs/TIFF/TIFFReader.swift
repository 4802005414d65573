#if TIFF
import CEaselTIFF
import EaselCore

/// A libtiff reader for one file.
struct TIFFReader: ~Copyable {
    private let reader: OpaquePointer
    /// The fields of the first page.
    let fields: easel_tiff_header

    /// - Parameter bytes: must outlive the reader.
    /// - Throws: `ImageError.badData` if the data is damaged or is not a TIFF.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        // The largest strip, at 16 bytes a pixel, plus the same amount for the tables of the file.
        let (most, overflow) = limits.pixels.multipliedReportingOverflow(by: 32)
        guard
            let reader = easel_tiff_reader_open(
                bytes.baseAddress, bytes.count, overflow ? Int.max : max(most, 64 << 20))
        else { throw .badData("This is no TIFF, or it is damaged before its first image.") }
        var fields = easel_tiff_header()
        guard easel_tiff_reader_read_header(reader, &fields) else {
            defer { easel_tiff_reader_close(reader) }
            throw Self.failure(of: reader)
        }
        self.reader = reader
        self.fields = fields
    }

    deinit {
        easel_tiff_reader_close(reader)
    }

    /// The last error of libtiff.
    var failure: ImageError { Self.failure(of: reader) }

    private static func failure(of reader: OpaquePointer) -> ImageError {
        let message = String(cString: easel_tiff_message(reader))
        return .badData("The TIFF is damaged or cut off\(message.isEmpty ? "." : ": \(message).")")
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
    var rowByteCount: Int {
        fields.is_tiled ? easel_tiff_tile_row_size(reader) : easel_tiff_row_size(reader)
    }

    /// Reads a row of a striped image, or of one of its planes, into `rowByteCount` bytes.
    func read(row: Int, plane: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count >= rowByteCount
        else { return false }
        return easel_tiff_read_row(reader, start, UInt32(row), UInt32(plane))
    }

    /// Reads the tile at a point, or one plane of it. The buffer has `rowByteCount` bytes for each row of a tile.
    func read(tileAt x: Int, _ y: Int, plane: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count == rowByteCount * Int(fields.block_height)
        else { return false }
        return easel_tiff_read_tile(reader, start, bytes.count, UInt32(x), UInt32(y), UInt32(plane))
    }

    /// Checks that libtiff supports the compression. libtiff itself would report damaged data.
    ///
    /// - Throws: `ImageError.unsupported` if it does not.
    func checkCompression() throws(ImageError) {
        guard fields.has_decoder else {
            throw .unsupported("This TIFF is compressed in a way that is not read here: scheme \(fields.compression).")
        }
    }

    /// - Throws: `ImageError.unsupported` for color spaces that libtiff does not support.
    func beginBlocks() throws(ImageError) {
        guard fields.format != EASEL_TIFF_COMPLEX else { throw .unsupported("A TIFF of complex numbers is not read.") }
        guard !easel_tiff_begin_blocks(reader) else { return }
        throw .unsupported("This kind of TIFF is not read: \(String(cString: easel_tiff_message(reader))).")
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
        if fields.is_tiled { try Self.checkTile(block, size) }
        let blocks = try TIFFBlocks(self, samples, block, byteCount: byteCount, for: size)
        var isComplete = true
        let rowsBetweenQuestions = fields.is_tiled ? 1 : max(1, (1 << 18) / size.width)
        for y in stride(from: 0, to: size.height, by: block.height) {
            for x in stride(from: 0, to: size.width, by: block.width) {
                if y % rowsBetweenQuestions == 0, isCancelled() { throw .cancelled }
                let place = PixelRectangle(x: x, y: y, size: block).clipped(to: size)
                if blocks.read(self, at: place) {
                    blocks.forEachRow(of: place) { body($0, x, $1, place.size.width) }
                } else if fields.is_tiled {
                    missing(place)
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

    /// Rejects tiles with over 16 times the pixels of the image. Tiles may extend past the edges.
    static func checkTile(_ tile: PixelSize, _ size: PixelSize) throws(ImageError) {
        guard let area = tile.area, let whole = size.area, area <= max(1 << 22, whole * 16) else {
            throw .badData("The TIFF's tiles of \(tile) pixels are far larger than its image.")
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
        guard !overflow else { throw reader.failure }
        let (storedCount, isTooLarge) = byteCount.multipliedReportingOverflow(by: max(1, samples.planeCount))
        guard !isTooLarge else { throw reader.failure }
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

    func forEachRow(of place: PixelRectangle, _ body: (UnsafeRawPointer, _ y: Int) -> Void) {
        guard let start else { return }
        for y in 0..<place.size.height { body(UnsafeRawPointer(start + y * bytesPerRow), place.y + y) }
    }

    /// Reads the block at a position inside the image. Returns whether the block is complete.
    func read(_ reader: borrowing TIFFReader, at place: PixelRectangle) -> Bool {
        guard let planes = stored.bytes.baseAddress, let start else { return false }
        for plane in 0..<max(1, samples.planeCount) {
            let range = (plane * storedByteCount)..<((plane + 1) * storedByteCount)
            let bytes = UnsafeMutableRawBufferPointer(rebasing: stored.bytes[range])
            let isThere =
                reader.fields.is_tiled
                ? reader.read(tileAt: place.x, place.y, plane: plane, into: bytes)
                : reader.read(row: place.y, plane: plane, into: bytes)
            guard isThere else { return false }
        }
        guard samples.isPlanar else { return true }
        for y in 0..<place.size.height {
            samples.interleave(
                UnsafeRawPointer(planes + y * storedBytesPerRow), distance: storedByteCount, width: place.size.width,
                into: start + y * bytesPerRow)
        }
        return true
    }
}
#endif
