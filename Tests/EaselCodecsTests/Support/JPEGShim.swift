import CEaselJPEG
import Foundation

/// Decoding a JPEG through the C shim, at any scale, whole or incrementally.
enum JPEGShim {
    struct Outcome: Equatable {
        var rows: [UInt8] = []
        var isDamaged = false
    }

    /// Decodes a complete file.
    static func whole(_ file: Data, denominator: Int32 = 1) -> Outcome {
        file.withUnsafeBytes { file in
            var outcome = Outcome()
            guard let decoder = easel_jpeg_decoder_open(file.baseAddress, file.count) else { return outcome }
            defer { easel_jpeg_decoder_close(decoder) }
            var header = easel_jpeg_header()
            guard easel_jpeg_decoder_read_header(decoder, &header), var rows = begin(decoder, header, denominator)
            else { return outcome }
            var state = EASEL_JPEG_MORE
            while state == EASEL_JPEG_MORE { state = easel_jpeg_decoder_consume(decoder, 16) }
            if state == EASEL_JPEG_READY {
                rows.read { easel_jpeg_decoder_read_rows(decoder, $0, $1, $2) }
            }
            outcome.rows = rows.filled
            outcome.isDamaged = easel_jpeg_decoder_is_damaged(decoder)
            return outcome
        }
    }

    /// Decodes a file in pieces: the decodable rows, or for several scans only the final ones.
    static func arriving(_ file: Data, piece length: Int, denominator: Int32 = 1) -> Outcome {
        var outcome = Outcome()
        guard let stream = easel_jpeg_stream_open(), let decoder = easel_jpeg_stream_decoder(stream) else {
            return outcome
        }
        defer { easel_jpeg_stream_close(stream) }
        var arrived: Rows?
        for start in stride(from: 0, to: file.count, by: length) {
            let piece = Array(file.dropFirst(start).prefix(length))
            guard easel_jpeg_stream_append(stream, piece, piece.count) else { break }
            if arrived == nil {
                var header = easel_jpeg_header()
                let state = easel_jpeg_stream_read_header(stream, &header)
                if state == EASEL_JPEG_STREAM_HUNGRY { continue }
                if state == EASEL_JPEG_STREAM_DONE { arrived = begin(decoder, header, denominator) }
            }
            guard var rows = arrived else { break }
            var state = EASEL_JPEG_STREAM_MORE
            while easel_jpeg_stream_has_scans(stream), state == EASEL_JPEG_STREAM_MORE {
                state = easel_jpeg_stream_consume(stream, 8)
            }
            if state == EASEL_JPEG_STREAM_DONE, !easel_jpeg_stream_start_output(stream) { break }
            if state == EASEL_JPEG_STREAM_DONE || !easel_jpeg_stream_has_scans(stream) {
                rows.read { easel_jpeg_stream_read_rows(stream, $0, $1, $2) }
            }
            arrived = rows
            if state != EASEL_JPEG_STREAM_HUNGRY, easel_jpeg_stream_has_scans(stream) { break }
        }
        outcome.rows = arrived?.filled ?? []
        outcome.isDamaged = easel_jpeg_decoder_is_damaged(decoder)
        return outcome
    }

    /// Starts the output. Returns `nil` on failure and for changed headers that announce large images.
    private static func begin(_ decoder: OpaquePointer, _ header: easel_jpeg_header, _ denominator: Int32) -> Rows? {
        var (width, height): (UInt32, UInt32) = (0, 0)
        guard Int(header.width) * Int(header.height) < 1 << 20,
            easel_jpeg_decoder_begin(decoder, denominator, false, &width, &height)
        else { return nil }
        return Rows(width: Int(width), height: Int(height))
    }

    /// Rows that are filled from the top.
    private struct Rows {
        private let bytesPerRow: Int
        private let height: Int
        private var bytes: [UInt8]
        private var count = 0

        init(width: Int, height: Int) {
            bytesPerRow = width * 4
            self.height = height
            bytes = Array(repeating: 0, count: bytesPerRow * height)
        }

        var filled: [UInt8] { Array(bytes.prefix(count * bytesPerRow)) }

        mutating func read(
            _ read: (_ start: UnsafeMutablePointer<UInt8>, _ bytesPerRow: Int, _ count: Int32) -> Int32
        ) {
            bytes.withUnsafeMutableBufferPointer { bytes in
                while count < height, let start = bytes.baseAddress {
                    let read = read(start + count * bytesPerRow, bytesPerRow, Int32(min(32, height - count)))
                    if read <= 0 { return }
                    count += Int(read)
                }
            }
        }
    }
}
