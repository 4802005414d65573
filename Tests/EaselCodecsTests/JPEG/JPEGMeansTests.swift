import EaselCodecs
import EaselCore
import Foundation
import Testing

/// A progressive file's first scan alone, as thumbnails take it. The files are no part of the package.
@Suite("JPEG: means alone", .enabled(if: Corpora.arePresent))
struct JPEGMeansTests {
    private let coder = JPEGCoder()
    private let small = DecodeOptions(targetSize: .pixels(width: 12, height: 9))

    private func progressive() throws -> Data {
        try #require(Corpora.files(.decode).first { $0.path == "jpeg/wuffs-peacock.progressive.jpeg" }).data()
    }

    /// Where the second scan's marker stands.
    private func secondScan(in data: Data) throws -> Int {
        let bytes = [UInt8](data)
        let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        return try #require(scans.dropFirst().first)
    }

    private func pixels(_ data: Data, _ options: DecodeOptions) throws -> [Pixel] {
        try coder.decode(data, options).pixels.pixels
    }

    @Test("what follows the first scan is not looked at")
    func rest() throws {
        let data = try progressive()
        var spoilt = data
        // In the middle of the other scans' data, where a decoder of all scans would stumble.
        let start = try secondScan(in: data) + 40
        spoilt.replaceSubrange(start..<(data.count - 2), with: Data(repeating: 0x55, count: data.count - 2 - start))
        var lenient = DecodeOptions()
        lenient.allowsPartial = true
        #expect(try pixels(spoilt, lenient) != pixels(data, lenient))
        #expect(try pixels(spoilt, small) == pixels(data, small))
    }

    @Test("a file that ends after the first scan is no whole one, though all that is needed is there")
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

    @Test("a file that ends within the first scan gives what is there")
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
