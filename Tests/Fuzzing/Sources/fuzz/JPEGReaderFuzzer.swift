@testable import EaselCodecs
@testable import EaselCore
import Foundation

/// A fuzzer that compares Easel's reader of regular JPEGs with libjpeg-turbo at every scale, and complete files with
/// those in pieces. A finding is a crash, or an image that differs.
enum JPEGReaderFuzzer {
    private static let maximumPixels = 1 << 18

    static func run(_ data: Data) -> Bool {
        data.span.withUnsafeBufferPointer { bytes in
            guard let file = try? JPEGFile(bytes), file.start != nil, file.size.area ?? .max <= maximumPixels else {
                return false
            }
            var scale = JPEGScale(from: file.size, to: file.size, hasMeanScan: false)
            for denominator in [1, 2, 4, 8] {
                scale.denominator = denominator
                check(bytes, file, scale)
                checkPieces(data, file, scale)
            }
            scale.usesFirstScanOnly = file.hasMeanScan
            check(bytes, file, scale)
            return true
        }
    }

    private static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ file: JPEGFile, _ scale: JPEGScale
    ) -> PixelBuffer? {
        guard let (markers, scan) = file.start else { return nil }
        let span = Span(_unsafeElements: bytes)
        return try? JPEGReader.pixels(of: span, markers, scan, scale, nil, isCancelled: { false })
    }

    private static func check(_ bytes: UnsafeBufferPointer<UInt8>, _ file: JPEGFile, _ scale: JPEGScale) {
        guard let pixels = read(bytes, file, scale) else { return }
        guard let decompressor = try? JPEGDecompressor(bytes),
            let expected = try? decompressor.pixels(scale, nil, isCancelled: { false })
        else { preconditionFailure("libjpeg-turbo does not decode the file.") }
        precondition(!decompressor.isDamaged, "libjpeg-turbo reports damage: \(decompressor.message)")
        precondition(rows(pixels) == rows(expected), "The pixels at 1/\(scale.denominator) differ.")
    }

    private static func checkPieces(_ data: Data, _ file: JPEGFile, _ scale: JPEGScale) {
        let arriving = JPEGIncrementalDecoder(DecodeOptions(), denominator: scale.denominator)
        var (offset, length) = (0, 1)
        do throws(ImageError) {
            while offset < data.count {
                try arriving.append(data.dropFirst(offset).prefix(length))
                _ = try arriving.preview()
                (offset, length) = (offset + length, length * 2 + 1)
            }
        } catch { return }
        data.span.withUnsafeBufferPointer { bytes in
            guard arriving.isWhole, let size = arriving.decodedSize, let stored = arriving.rows,
                let pixels = read(bytes, file, scale)
            else { return }
            precondition(size == pixels.size, "The size of the file in pieces differs.")
            let bytesPerRow = stored.count / size.height
            let isSame = zip(0..<size.height, rows(pixels)).allSatisfy { y, row in
                row.elementsEqual(stored[(y * bytesPerRow)..<(y * bytesPerRow + size.width * 4)])
            }
            precondition(isSame, "The pixels of the file in pieces differ.")
        }
    }

    private static func rows(_ pixels: PixelBuffer) -> [[UInt8]] {
        pixels.withUnsafeBytes { bytes in
            (0..<pixels.height).map {
                Array(bytes[($0 * pixels.bytesPerRow)..<($0 * pixels.bytesPerRow + pixels.width * 4)])
            }
        }
    }
}
