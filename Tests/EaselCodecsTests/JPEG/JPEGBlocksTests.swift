import EaselCodecs
import EaselCore
import Foundation
import Testing

/// The coefficients of all scans are stored until the image is drawn.
@Suite("JPEG: large files of several scans")
struct JPEGBlocksTests {
    /// Rows without padding, and a height that is not a multiple of 16.
    private func file(isProgressive: Bool) throws -> Data {
        let pixels = try PixelBuffer(size: PixelSize(2048, 1041), isOpaque: true) { bytes, _ in
            for (index, word) in bytes.bindMemory(to: UInt32.self).indices.enumerated() {
                let value = UInt32(truncatingIfNeeded: index / 7 &* 2_654_435_761) | 0xFF00_0000
                bytes.storeBytes(of: value, toByteOffset: word * 4, as: UInt32.self)
            }
        }
        return try JPEGCoder().encode(
            DecodedImage(pixels: pixels, metadata: ImageMetadata()),
            EncodeOptions(quality: 0.5, isProgressive: isProgressive))
    }

    private func bytes(_ image: DecodedImage) -> Data { image.pixels.withUnsafeBytes { Data($0) } }

    @Test("a file of several scans has the pixels of the same file in one scan, complete and in pieces")
    func pixels() throws {
        let file = try file(isProgressive: true)
        let baseline = bytes(try JPEGCoder().decode(self.file(isProgressive: false), DecodeOptions()))
        #expect(baseline.count == 2048 * 1041 * 4)
        let isSame = bytes(try JPEGCoder().decode(file, DecodeOptions())) == baseline
        #expect(isSame)
        let arriving = JPEGCoder().makeIncrementalDecoder(DecodeOptions())
        for start in stride(from: 0, to: file.count, by: 100_000) {
            try arriving.append(file[start..<min(start + 100_000, file.count)])
        }
        let preview = try arriving.preview()
        let isSameInPieces = bytes(try #require(preview)) == baseline
        #expect(isSameInPieces)
    }

    @Test("a file that ends early is shown up to its end, with gray for missing data")
    func cutOff() throws {
        let file = try file(isProgressive: true)
        let image = try JPEGCoder().decode(file.prefix(file.count / 50), DecodeOptions(allowsPartial: true))
        #expect(image.metadata.isPartial)
        let last = (0..<2048).map { image.pixels[$0, 1040] }
        #expect(last.allSatisfy { $0 == last[0] })
        #expect((0..<2048).contains { image.pixels[$0, 0] != last[0] })
    }
}
