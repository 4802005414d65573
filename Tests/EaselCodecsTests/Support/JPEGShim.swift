import CEaselJPEG
import EaselCore
import Foundation

@testable import EaselCodecs

/// Decodes a complete JPEG through the C shim, or an arriving one by the incremental decoder, at any scale.
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
            while state == EASEL_JPEG_MORE { state = easel_jpeg_decoder_consume(decoder) }
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
        // The pieces are the subject, not the time, which is long on a busy machine.
        let limits = ImageLimits(pixels: (1 << 20) - 1, decodingTime: .seconds(600))
        let options = DecodeOptions(limits: limits, allowsPartial: true)
        let decoder = JPEGIncrementalDecoder(options, denominator: Int(denominator))
        do {
            for start in stride(from: 0, to: file.count, by: length) {
                try decoder.append(Data(file.dropFirst(start).prefix(length)))
                _ = try decoder.preview()
            }
        } catch {
            // The rows before the error are compared.
        }
        guard let size = decoder.decodedSize, let rows = decoder.rows else { return Outcome() }
        let bytesPerRow = (size.width * 4 + 63) & ~63
        let rowCount = rows.count / bytesPerRow
        if rowCount == size.height, !decoder.isWhole { return Outcome() }
        return Outcome(
            rows: (0..<rowCount).flatMap { rows[($0 * bytesPerRow)..<($0 * bytesPerRow + size.width * 4)] })
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
