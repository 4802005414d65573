import CEaselJPEG
import EaselCodecs
import EaselCore
import Foundation
import Testing

/// What comes out of a file whose codes are decoded in libjpeg's place is what libjpeg alone makes of it, to the byte.
@Suite("JPEG: decoding in libjpeg's place")
struct JPEGTakeoverTests {
    private struct Outcome: Equatable {
        var rows: [UInt8] = []
        var isDamaged = false
        var message = ""
    }

    /// - Returns: what comes out, and whether it was decoded in libjpeg's place.
    private func decode(_ file: Data, isAlone: Bool, denominator: Int32 = 1) -> (Outcome, hasTakenOver: Bool) {
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

    private func readScans(_ decoder: OpaquePointer) -> Bool {
        while true {
            let state = easel_jpeg_decoder_consume(decoder, 16)
            if state != EASEL_JPEG_MORE { return state == EASEL_JPEG_READY }
        }
    }

    private func rows(_ decoder: OpaquePointer, _ width: Int, _ height: Int) -> [UInt8] {
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

    /// Large enough to be worth it, and no multiple of a unit of 16.
    private func file(quality: Double, isProgressive: Bool) throws -> Data {
        let (noise, smooth) = (try Pictures.noise(281, 250, seed: 6), try Pictures.gradient(281, 250))
        // Noise in the middle, and around it blocks that end at once.
        let pixels = try PixelBuffer(size: noise.size, isOpaque: true) { bytes, bytesPerRow in
            for y in 0..<noise.height {
                for x in 0..<noise.width {
                    let isNoise = (40..<100).contains(x) && (30..<120).contains(y)
                    let pixel = isNoise ? noise[x, y] : smooth[x, y]
                    let place = y * bytesPerRow + x * 4
                    (bytes[place], bytes[place + 1]) = (pixel.blue, pixel.green)
                    (bytes[place + 2], bytes[place + 3]) = (pixel.red, 255)
                }
            }
        }
        return try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()),
            EncodeOptions(quality: quality, isProgressive: isProgressive))
    }

    @Test("whole files, at all scales", arguments: [false, true], [0.3, 0.8, 1])
    func whole(isProgressive: Bool, quality: Double) throws {
        let file = try file(quality: quality, isProgressive: isProgressive)
        for denominator: Int32 in [1, 2, 4, 8] {
            let (alone, _) = decode(file, isAlone: true, denominator: denominator)
            let (ours, hasTakenOver) = decode(file, isAlone: false, denominator: denominator)
            #expect(hasTakenOver && !alone.isDamaged)
            #expect(ours == alone)
        }
    }

    @Test("files that are cut off, and that are changed anywhere", arguments: [false, true])
    func damaged(isProgressive: Bool) throws {
        let file = try file(quality: 0.8, isProgressive: isProgressive)
        var damagedCount = 0
        for damaged in DamagedFiles.cut(file, places: 20) + DamagedFiles.changed(file, count: 40) {
            let (alone, _) = decode(damaged, isAlone: true)
            #expect(decode(damaged, isAlone: false).0 == alone)
            damagedCount += alone.isDamaged ? 1 : 0
        }
        #expect(damagedCount > 10)
    }

    @Test("a file whose scans tell the same bits twice is libjpeg's")
    func twice() throws {
        let file = try file(quality: 0.8, isProgressive: true)
        let markers = file.indices.dropLast().filter { file[$0] == 0xFF && [0xC4, 0xDA, 0xD9].contains(file[$0 + 1]) }
        // The second scan, with the tables before it, once more.
        let scans = markers.filter { file[$0 + 1] == 0xDA }
        let start = try #require(markers.last { $0 < scans[1] && file[$0 + 1] == 0xC4 })
        let end = try #require(markers.first { $0 > scans[1] })
        let repeated = file[..<end] + file[start..<end] + file[end...]
        let (alone, _) = decode(Data(repeated), isAlone: true)
        #expect(decode(Data(repeated), isAlone: false).0 == alone)
        #expect(alone == decode(file, isAlone: true).0)
    }
}
