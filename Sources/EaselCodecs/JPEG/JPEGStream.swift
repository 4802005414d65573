import CEaselJPEG
import EaselCore

/// libjpeg's state for a file that arrives in pieces.
final class JPEGStream {
    private let stream: OpaquePointer
    private let decoder: OpaquePointer
    /// The bytes that have come.
    private(set) var byteCount = 0
    /// Whether the last scan has come, or all that are wanted.
    private(set) var hasEnded = false

    /// - Throws: `ImageError.unsupported` without memory.
    init() throws(ImageError) {
        guard let stream = easel_jpeg_stream_open(), let decoder = easel_jpeg_stream_decoder(stream) else {
            throw .outOfMemory
        }
        self.stream = stream
        self.decoder = decoder
    }

    deinit {
        easel_jpeg_stream_close(stream)
    }

    /// Takes a copy of the bytes.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        guard let start = bytes.baseAddress else { return }
        guard easel_jpeg_stream_append(stream, start, bytes.count) else {
            throw .outOfMemory
        }
        byteCount += bytes.count
    }

    /// The markers before the first scan; `nil` while they are not all there.
    func readMarkers() throws(ImageError) -> easel_jpeg_header? {
        var markers = easel_jpeg_header()
        switch easel_jpeg_stream_read_header(stream, &markers) {
        case EASEL_JPEG_STREAM_DONE:
            return markers
        case EASEL_JPEG_STREAM_FAILED:
            throw JPEGDecompressor.refusal(decoder, markers)
        default:
            return nil
        }
    }

    func header(_ markers: easel_jpeg_header) -> ImageHeader { ImageHeader(jpeg: markers, decoder) }

    func colors(_ markers: easel_jpeg_header) -> ColorDescription { JPEGDecompressor.colors(decoder, markers) }

    /// Whether pieces of the file can be decoded: not those of arithmetic coding.
    var isInterruptible: Bool { easel_jpeg_stream_is_interruptible(stream) }

    /// Whether the image comes in several scans; else its rows are read as they come. Known once decoding has begun.
    var hasScans: Bool { easel_jpeg_stream_has_scans(stream) }

    /// The scans that have come whole.
    var scanCount: Int { Int(easel_jpeg_stream_scan_count(stream)) }

    /// Whether what is still to come would hardly be seen.
    var isSufficient: Bool { easel_jpeg_stream_is_sufficient(stream) }

    /// Whether data made no sense.
    var isDamaged: Bool { easel_jpeg_decoder_is_damaged(decoder) }

    /// What is wrong with the data.
    var damage: ImageError { .badData("The JPEG is damaged: \(JPEGDecompressor.message(decoder)).") }

    /// Why the last call failed.
    private var failure: ImageError {
        easel_jpeg_decoder_is_unsupported(decoder) ? JPEGDecompressor.failure(decoder) : damage
    }

    /// Starts decoding at a fraction of the size, and returns the size that comes out.
    func begin(_ scale: JPEGScale) throws(ImageError) -> PixelSize {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let begun = easel_jpeg_decoder_begin(
            decoder, Int32(scale.denominator), scale.usesFirstScanOnly, &width, &height)
        guard begun else { throw failure }
        return PixelSize(Int(width), Int(height))
    }

    /// Reads the scans as far as they have come.
    func readScans(isCancelled: () -> Bool) throws(ImageError) {
        while true {
            switch easel_jpeg_stream_consume(stream, 8) {
            case EASEL_JPEG_STREAM_MORE: if isCancelled() { throw .cancelled }
            case EASEL_JPEG_STREAM_FAILED: throw failure
            case EASEL_JPEG_STREAM_DONE:
                hasEnded = true
                return
            default: return
            }
        }
    }

    /// Starts to show the scans that have come.
    func startOutput() throws(ImageError) {
        guard easel_jpeg_stream_start_output(stream) else { throw failure }
    }

    /// Writes the rows from `row` on as far as they have come, and returns the first one that has not.
    func readRows(
        from row: Int, into bytes: UnsafeMutableRawBufferPointer, bytesPerRow: Int, height: Int,
        isCancelled: () -> Bool
    ) throws(ImageError) -> Int {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return row }
        var row = row
        while row < height {
            let wanted = min(32, height - row)
            // The rows from `row` to `height` lie inside `bytes`.
            let count = easel_jpeg_stream_read_rows(
                stream, start + row * bytesPerRow, bytesPerRow, Int32(wanted))
            guard count >= 0 else { throw failure }
            row += Int(count)
            if count < wanted { break }
            if isCancelled() { throw .cancelled }
        }
        return row
    }
}
