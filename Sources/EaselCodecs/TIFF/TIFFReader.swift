#if TIFF
import CEaselTIFF
import EaselCore

/// libtiff's state for one file that is being read.
struct TIFFReader: ~Copyable {
    private let reader: OpaquePointer
    /// What the first page says of itself.
    let fields: easel_tiff_header

    /// - Parameter bytes: must live as long as the reader.
    /// - Throws: `ImageError.badData` for what is no TIFF, or a damaged one.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        // The most that one strip of sixteen bytes a pixel takes, and as much again for the file's own tables.
        let (most, overflow) = limits.pixels.multipliedReportingOverflow(by: 32)
        guard
            let reader = easel_tiff_reader_open(
                bytes.baseAddress, bytes.count, overflow ? Int.max : max(most, 64 << 20))
        else { throw .badData("This is no TIFF, or it is damaged before its first picture.") }
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

    /// What libtiff said.
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

    /// Bytes of a row of a strip, or of a row of a tile.
    var rowByteCount: Int {
        fields.is_tiled ? easel_tiff_tile_row_size(reader) : easel_tiff_row_size(reader)
    }

    /// Reads a row of a picture in strips, or of one plane of it, into memory of `rowByteCount` bytes.
    func read(row: Int, plane: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count >= rowByteCount
        else { return false }
        return easel_tiff_read_row(reader, start, UInt32(row), UInt32(plane))
    }

    /// Reads the tile that a place lies in, or one plane of it, of as many rows of `rowByteCount` bytes as a tile has.
    func read(tileAt x: Int, _ y: Int, plane: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            bytes.count == rowByteCount * Int(fields.block_height)
        else { return false }
        return easel_tiff_read_tile(reader, start, bytes.count, UInt32(x), UInt32(y), UInt32(plane))
    }

    /// - Throws: `ImageError.unsupported` for a compression that this machine's libtiff does not know: it would say that the file
    ///   is damaged.
    func checkCompression() throws(ImageError) {
        guard fields.has_decoder else {
            throw .unsupported("This TIFF is compressed in a way that is not read here: scheme \(fields.compression).")
        }
    }

    /// - Throws: `ImageError.unsupported` for colours that libtiff does not know.
    func beginBlocks() throws(ImageError) {
        guard fields.format != EASEL_TIFF_COMPLEX else { throw .unsupported("A TIFF of complex numbers is not read.") }
        guard !easel_tiff_begin_blocks(reader) else { return }
        throw .unsupported("This kind of TIFF is not read: \(String(cString: easel_tiff_message(reader))).")
    }

    /// Reads rows of R, G, B, A into memory for that many whole rows.
    func read(block row: Int, rowCount: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt32.self),
            bytes.count >= rowCount * Int(fields.width) * 4
        else { return false }
        return easel_tiff_read_block(reader, start, UInt32(row), UInt32(rowCount))
    }
}
#endif
