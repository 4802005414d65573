import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import Testing

/// A scan of a few bytes can cost a pass over the image, so that the time is not in proportion to the bytes.
@Suite("JPEG: the time limit")
struct JPEGTimeLimitTests {
    private static let limit = Duration.milliseconds(20)
    private let options = DecodeOptions(limits: ImageLimits(decodingTime: limit))
    private let timeout = ImageError.tooLarge(.time(limit: limit))

    /// The sampling factors of files that Easel's reader and the library decode.
    private static let samplings: [UInt8] = [0x11, 0x31]

    @Test("a large file of a thousand scans ends at the time limit", arguments: samplings)
    func thousandScans(_ sampling: UInt8) {
        let file = ManyScansJPEG(side: 4096, scanCount: 1000, sampling: sampling).data()
        let start = ContinuousClock.now
        #expect(throws: timeout) { try JPEGCoder().decode(file, options) }
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test("the time is checked in each row of blocks of every scan, or after it", arguments: samplings)
    func checks(_ sampling: UInt8) throws {
        let file = ManyScansJPEG(scanCount: 100, sampling: sampling).data()
        let checkCount = Mutex(0)
        let counting = DecodeOptions(isCancelled: {
            checkCount.withLock { $0 += 1 }
            return false
        })
        _ = try JPEGCoder().decode(file, counting)
        #expect(checkCount.withLock { $0 } >= 100 * 1024 / 8)
    }

    @Test("a file without time is not decoded", arguments: [false, true])
    func noTime(isProgressive: Bool) throws {
        let file = try Files.noisyJPEG(quality: 0.5, isProgressive: isProgressive)
        let options = DecodeOptions(limits: ImageLimits(decodingTime: .zero))
        #expect(throws: ImageError.tooLarge(.time(limit: .zero))) { try JPEGCoder().decode(file, options) }
        #expect(throws: ImageError.tooLarge(.time(limit: .zero))) {
            try JPEGCoder().makeIncrementalDecoder(options).append(file)
        }
    }

    @Test("the time of an arriving file is that of all its pieces")
    func pieces() {
        let file = ManyScansJPEG(side: 4096, scanCount: 1000).data()
        let arriving = JPEGCoder().makeIncrementalDecoder(options)
        #expect(throws: timeout) {
            for start in stride(from: 0, to: file.count, by: 400) {
                try arriving.append(file.dropFirst(start).prefix(400))
            }
        }
    }

    @Test("a file of more scans than encoders write is refused", arguments: samplings)
    func scanLimit(_ sampling: UInt8) throws {
        let coder = JPEGCoder()
        let most = try coder.decode(ManyScansJPEG(scanCount: 200, sampling: sampling).data(), DecodeOptions())
        #expect(most.pixels[0, 0].red == 128)
        let error = #expect(throws: ImageError.self) {
            try coder.decode(ManyScansJPEG(scanCount: 202, sampling: sampling).data(), DecodeOptions())
        }
        #expect(error?.code == .badData)
    }
}
