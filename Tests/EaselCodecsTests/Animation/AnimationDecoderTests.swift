import EaselTesting
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Animation: decoders")
struct AnimationDecoderTests {
    struct Sample: CustomTestStringConvertible {
        var name: String
        var decoder: any AnimationDecoding
        var file: Data
        var testDescription: String { name }
    }

    static func samples() throws -> [Sample] {
        let frames = (0..<30).map { index in
            Files.GIFFrame(
                x: index % 5, y: index % 7, width: 12, height: 9, disposal: 1 + index % 3,
                transparentIndex: index % 2 == 0 ? 3 : nil, isInterlaced: index % 4 == 0, seed: UInt64(index))
        }
        return [
            Sample(name: "GIF", decoder: GIFCoder(), file: Files.gif(20, 16, frames)),
            Sample(name: "APNG", decoder: PNGCoder(), file: try Files.animatedPNG(16, 12)),
            Sample(name: "still PNG", decoder: PNGCoder(), file: try Files.png(Images.translucent(8, 8))),
            Sample(name: "still WebP", decoder: WebPCoder(), file: try Files.webp(Images.gradient(8, 8))),
        ]
    }

    @Test("every frame in any order equals the separately decoded one", arguments: try samples())
    func anyOrder(_ sample: Sample) throws {
        try Self.compare(sample.decoder, sample.file)
    }

    @Test("a frame with a target size is composited at full size and then scaled", arguments: try samples())
    func thumbnail(_ sample: Sample) throws {
        let options = DecodeOptions(targetSize: .pixels(width: 5, height: 5))
        let animation = try sample.decoder.makeAnimationDecoder(sample.file, options)
        for index in 0..<animation.header.frameCount {
            var single = options
            single.frame = index
            let image = try animation.frame(index, isCancelled: { false })
            #expect(image.metadata.isThumbnail)
            guard sample.file.starts(with: "GIF".utf8) || animation.header.frameCount > 1 else { continue }
            #expect(try image.pixels.pixels == sample.decoder.decode(sample.file, single).pixels.pixels)
        }
    }

    @Test("a truncated file is an error unless partial images are allowed")
    func cutOff() throws {
        let file = try #require(Self.samples().first).file
        let cut = file.prefix(file.count * 2 / 3)
        let error = #expect(throws: ImageError.self) { try GIFCoder().makeAnimationDecoder(cut, DecodeOptions()) }
        #expect(error?.code == .badData)
        let part = try GIFCoder().makeAnimationDecoder(cut, DecodeOptions(allowsPartial: true))
        #expect((10..<30).contains(part.header.frameCount))
        #expect(try part.frame(3, isCancelled: { false }).metadata.isPartial)
    }

    @Test("limits are checked before anything is allocated", arguments: try samples())
    func limits(_ sample: Sample) {
        let error = #expect(throws: ImageError.self) {
            try sample.decoder.makeAnimationDecoder(sample.file, DecodeOptions(limits: ImageLimits(pixels: 16)))
        }
        #expect(error?.code == .tooLarge)
    }

    /// Decodes all frames in order, some backwards and some at random, and compares them with separately decoded ones.
    static func compare(_ decoder: any AnimationDecoding, _ file: Data) throws {
        let animation = try decoder.makeAnimationDecoder(file, DecodeOptions())
        #expect(animation.header == (try decoder.header(of: file)))
        let count = animation.header.frameCount
        var inOrder: [PixelBuffer] = []
        for index in 0..<count { inOrder.append(try animation.frame(index, isCancelled: { false }).pixels) }
        // Only some of a long animation, because a separate decode draws all frames before it.
        for index in stride(from: 0, to: count, by: max(1, count / 12)) {
            let single = try decoder.decode(file, DecodeOptions(frame: index)).pixels
            #expect(single.hasSamePixels(as: inOrder[index]), "frame \(index)")
        }
        var random = SeededGenerator(seed: 7)
        let atRandom = (0..<20).map { _ in Int(random.next() % UInt64(count)) }
        let anyOrder = Array((0..<count).reversed().prefix(20)) + atRandom
        for index in anyOrder {
            let again = try animation.frame(index, isCancelled: { false }).pixels
            #expect(again.hasSamePixels(as: inOrder[index]), "frame \(index)")
        }
    }
}

/// Real files from other projects' test sets. They are not part of the package; without them the tests are skipped.
@Suite("Corpora: animations", .enabled(if: Corpora.arePresent))
struct CorporaAnimationTests {
    static let files = Corpora.files(.decode).filter { ($0.answer.frames ?? 1) > 1 }

    @Test("every frame in any order equals the separately decoded one", arguments: files)
    func anyOrder(_ file: Expectation) throws {
        let data = try file.data()
        let decoder = try #require(CoderRegistry.standard().decoder(for: data) as? any AnimationDecoding)
        try AnimationDecoderTests.compare(decoder, data)
    }
}
