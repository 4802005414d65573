import EaselCodecs
import EaselCore
import Foundation
import Testing

/// Decoding of only the first scan of a progressive file, as for thumbnails. The files are not part of the package.
@Suite("JPEG: only means", .enabled(if: Corpora.arePresent))
struct JPEGMeansTests {
    private let coder = JPEGCoder()
    private let small = DecodeOptions(targetSize: .pixels(width: 12, height: 9))

    private func progressive() throws -> Data {
        try #require(Corpora.files(.decode).first { $0.path == "jpeg/wuffs-peacock.progressive.jpeg" }).data()
    }

    /// Returns the offset of the second scan's marker.
    private func secondScan(in data: Data) throws -> Int {
        let bytes = [UInt8](data)
        let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        return try #require(scans.dropFirst().first)
    }

    private func pixels(_ data: Data, _ options: DecodeOptions) throws -> [Pixel] {
        try coder.decode(data, options).pixels.pixels
    }

    @Test("data after the first scan is not read")
    func rest() throws {
        let data = try progressive()
        var damaged = data
        // In the middle of the other scans' data, where a decoder of all scans would find damage.
        let start = try secondScan(in: data) + 40
        damaged.replaceSubrange(start..<(data.count - 2), with: Data(repeating: 0x55, count: data.count - 2 - start))
        var lenient = DecodeOptions()
        lenient.allowsPartial = true
        #expect(try pixels(damaged, lenient) != pixels(data, lenient))
        #expect(try pixels(damaged, small) == pixels(data, small))
    }

    @Test("a file that ends after the first scan is truncated, although all required data is present")
    func cutOff() throws {
        let data = try progressive()
        let cut = data.prefix(try secondScan(in: data))
        #expect(throws: ImageError.self) { try coder.decode(cut, small) }
        var lenient = small
        lenient.allowsPartial = true
        let image = try coder.decode(cut, lenient)
        #expect(image.metadata.isPartial)
        #expect(try image.pixels.pixels == pixels(data, small))
    }

    @Test("a file that ends within the first scan has the decoded part")
    func cutOffWithin() throws {
        let data = try progressive()
        var lenient = small
        lenient.allowsPartial = true
        let scan = try secondScan(in: data)
        let image = try coder.decode(data.prefix(scan - 60), lenient)
        #expect(image.metadata.isPartial)
        #expect(image.size == PixelSize(12, 9))
    }
}
