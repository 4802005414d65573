import CEaselJPEG
import Foundation

/// Decodes a JPEG by libjpeg alone, or with its codes decoded in libjpeg's place.
enum JPEGTakeover {
    struct Outcome: Equatable {
        var rows: [UInt8] = []
        var isDamaged = false
        var message = ""
    }

    /// - Returns: what comes out, and whether it was decoded in libjpeg's place.
    static func decode(_ file: Data, isAlone: Bool, denominator: Int32 = 1) -> (Outcome, hasTakenOver: Bool) {
        file.withUnsafeBytes { file in
            var outcome = Outcome()
            var header = easel_jpeg_header()
            var (width, height): (UInt32, UInt32) = (0, 0)
            guard let decoder = easel_jpeg_decoder_open(file.baseAddress, file.count) else { return (outcome, false) }
            defer { easel_jpeg_decoder_close(decoder) }
            guard easel_jpeg_decoder_read_header(decoder, &header), header.width * header.height < 1 << 20 else {
                return (outcome, false)
            }
            let room = UnsafeMutableRawBufferPointer.allocate(
                byteCount: easel_jpeg_decoder_room_needed(decoder), alignment: 64)
            defer { room.deallocate() }
            if isAlone {
                easel_jpeg_decoder_leave_to_library(decoder)
            } else if !room.isEmpty {
                easel_jpeg_decoder_give_room(decoder, room.baseAddress, room.count)
            }
            if easel_jpeg_decoder_begin(decoder, denominator, false, &width, &height), readScans(decoder) {
                outcome.rows = rows(decoder, Int(width), Int(height))
            }
            outcome.isDamaged = easel_jpeg_decoder_is_damaged(decoder)
            // What is missing behind the last row is told, or is not: nobody is shown it.
            outcome.message = outcome.isDamaged ? String(cString: easel_jpeg_decoder_message(decoder)) : ""
            return (outcome, easel_jpeg_decoder_has_taken_over(decoder))
        }
    }

    private static func readScans(_ decoder: OpaquePointer) -> Bool {
        while true {
            let state = easel_jpeg_decoder_consume(decoder, 16)
            if state != EASEL_JPEG_MORE { return state == EASEL_JPEG_READY }
        }
    }

    private static func rows(_ decoder: OpaquePointer, _ width: Int, _ height: Int) -> [UInt8] {
        var rows = [UInt8](repeating: 0, count: width * height * 4)
        var row = 0
        rows.withUnsafeMutableBufferPointer { bytes in
            while row < height, let start = bytes.baseAddress {
                let count = easel_jpeg_decoder_read_rows(
                    decoder, start + row * width * 4, width * 4, Int32(min(32, height - row)))
                if count < 0 { return }
                row += Int(count)
            }
        }
        return Array(rows.prefix(row * width * 4))
    }
}
