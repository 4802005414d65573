import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

/// Segments before the image, and between scans, are read with bounds.
@Suite("JPEG: segments")
struct JPEGSegmentsTests {
    private let coder = JPEGCoder()

    private func segment(_ marker: UInt8, _ content: [UInt8]) -> Data {
        Data([0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content)
    }

    /// Returns a file with bytes before its first segment.
    private func file(_ bytes: Data, before file: Data) -> Data { Data(file.prefix(2) + bytes + file.dropFirst(2)) }

    private func comments(_ count: Int) -> Data {
        (0..<count).reduce(into: Data()) { data, _ in data += segment(0xFE, []) }
    }

    private func isLeftToLibrary(_ file: Data) throws -> Bool {
        try file.span.withUnsafeBufferPointer { try JPEGFile($0).start == nil }
    }

    private func metadata(_ segments: Data) throws -> JPEGMetadata {
        try JPEGMetadata((Data([0xFF, 0xD8]) + segments).span)
    }

    private func part(_ number: UInt8, of count: UInt8, _ content: [UInt8]) -> Data {
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + content)
    }

    private func profile(_ segments: Data) throws -> [UInt8]? {
        try metadata(segments).profile(in: (Data([0xFF, 0xD8]) + segments).span)
    }

    @Test("a file of more segments than any file has is refused")
    func count() throws {
        let image = try Files.jpeg(Images.gradient(50, 41))
        let most = file(comments(JPEGSegments.maximumCount - 20), before: image)
        let pixels = try coder.decode(image, DecodeOptions()).pixels
        #expect(try coder.decode(most, DecodeOptions()).pixels.hasSamePixels(as: pixels))
        let tooMany = file(comments(JPEGSegments.maximumCount), before: image)
        let errors = [
            #expect(throws: ImageError.self) { try coder.header(of: tooMany) },
            #expect(throws: ImageError.self) { try coder.metadata(of: tooMany) },
            #expect(throws: ImageError.self) { try coder.decode(tooMany, DecodeOptions()) },
            #expect(throws: ImageError.self) { try coder.makeIncrementalDecoder(DecodeOptions()).append(tooMany) },
        ]
        #expect(errors.map { $0?.code } == Array(repeating: .badData, count: 4))
    }

    @Test("too many segments between two scans are left to the library")
    func countBetweenScans() throws {
        let image = try Files.noisyJPEG(quality: 0.5, isProgressive: true)
        let scan = try #require(image.indices.dropLast().last { image[$0] == 0xFF && image[$0 + 1] == 0xDA })
        let changed = Data(image[..<scan] + comments(JPEGSegments.maximumCount) + image[scan...])
        let pixels = try coder.decode(image, DecodeOptions()).pixels
        #expect(try coder.decode(changed, DecodeOptions()).pixels.hasSamePixels(as: pixels))
    }

    @Test("a segment of more tables than there are is left to the library", arguments: [UInt8(0xDB), 0xC4])
    func tables(_ marker: UInt8) throws {
        let image = try Files.jpeg(Images.gradient(50, 41))
        let start = try #require(image.indices.dropLast().first { image[$0] == 0xFF && image[$0 + 1] == marker })
        let length = Int(image[start + 2]) << 8 | Int(image[start + 3])
        let content = [UInt8](image[(start + 4)..<(start + 2 + length)])
        let tables = (0..<9).flatMap { _ in content }
        let changed = Data(image[..<start] + segment(marker, tables) + image[(start + 2 + length)...])
        #expect(try !isLeftToLibrary(image))
        #expect(try isLeftToLibrary(changed))
        let pixels = try coder.decode(image, DecodeOptions()).pixels
        #expect(try coder.decode(changed, DecodeOptions()).pixels.hasSamePixels(as: pixels))
    }

    @Test("a size beyond the limit is refused before anything is decoded", arguments: [UInt8(0xC0), 0xC2, 0xCA])
    func size(_ frame: UInt8) throws {
        var image = HandmadeJPEG().data()
        let start = try #require(image.indices.dropLast().first { image[$0] == 0xFF && image[$0 + 1] == 0xC0 })
        image[start + 1] = frame
        image.replaceSubrange((start + 5)..<(start + 9), with: [0xF0, 0, 0xF0, 0])
        let error = ImageError.tooLarge(.pixels(PixelSize(61_440, 61_440), limit: 1_000_000))
        let limits = ImageLimits(pixels: 1_000_000)
        #expect(throws: error) { try coder.decode(image, DecodeOptions(limits: limits, isCancelled: { true })) }
        #expect(throws: error) { try coder.makeIncrementalDecoder(DecodeOptions(limits: limits)).append(image) }
    }

    @Test("bytes between segments, and markers without content, are skipped as libjpeg does")
    func gaps() throws {
        let gap = Data([0, 0x12, 0xFF, 0, 0xFF, 0x01, 0xFF, 0xD3, 0xFF, 0xFF])
        let image = try Files.jpeg(Images.gradient(50, 41))
        let exif = segment(0xE1, Array("Exif\0\0MM".utf8))
        let changed = file(gap + exif + gap, before: image)
        #expect(try coder.metadata(of: changed).exif == Data("MM".utf8))
        #expect(try !isLeftToLibrary(changed))
        let pixels = try coder.decode(image, DecodeOptions()).pixels
        #expect(try coder.decode(changed, DecodeOptions()).pixels.hasSamePixels(as: pixels))
        #expect(JPEGShim.arriving(changed, piece: 1).rows == JPEGShim.whole(changed).rows)
    }

    @Test("a profile with missing, repeated or contradicting parts is not used")
    func invalidProfile() throws {
        let first = part(1, of: 2, [1])
        let others = [
            Data(), part(3, of: 2, [2]), part(0, of: 2, [2]), first, part(2, of: 2, [2]) + first, part(2, of: 3, [2]),
        ]
        for other in others { #expect(try profile(first + other) == nil) }
        #expect(try profile(part(1, of: 0, [1])) == nil)
        #expect(try profile(Data()) == nil)
    }
}
