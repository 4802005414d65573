import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

@Suite("Animation: partial files (X175)")
struct AnimationBeginningTests {
    private static func file(_ encoder: any AnimationEncoding) throws -> Data {
        let durations = [Duration](repeating: .milliseconds(40), count: 4)
        let frames = AnimationFrames(durations: durations, size: PixelSize(20, 10), loopCount: 0, isOpaque: true) {
            (index) throws(ImageError) in
            let level = UInt8(40 + 60 * index)
            let pixel = Pixel(blue: level, green: 10, red: 255 - level, alpha: 255)
            return try TestImage.checkerboard(20, 10, square: index + 2, first: pixel).pixels()
        }
        return try encoder.encode(frames, EncodeOptions(isLossless: true))
    }

    @Test(
        "frames of a partial file equal those of the whole file, and their count grows by one",
        arguments: ["gif", "webp", "png"])
    func beginnings(_ name: String) throws {
        let (decoder, encoder): (any AnimationDecoding, any AnimationEncoding) =
            switch name {
            case "gif": (GIFCoder(), GIFCoder())
            case "webp": (WebPCoder(), WebPCoder())
            default: (PNGCoder(), APNGCoder())
            }
        let data = try Self.file(encoder)
        let complete = try decoder.makeAnimationDecoder(data, DecodeOptions())
        let images = try (0..<4).map { try complete.frame($0) { false }.pixels }
        var counts: [Int] = []
        for length in stride(from: 0, through: data.count, by: 1) {
            let part = data.prefix(length)
            guard let header = decoder.header(ofBeginning: part) else { continue }
            #expect(header.frameDurations == Array(repeating: .milliseconds(40), count: header.frameCount))
            #expect(header.loopCount == 0)
            if counts.last == header.frameCount { continue }
            counts.append(header.frameCount)
            let frames = try decoder.makeAnimationDecoder(part, DecodeOptions(allowsPartial: true))
            for index in 0..<header.frameCount {
                let frame = try frames.frame(index) { false }
                #expect(PixelDifference(frame.pixels, images[index]).maximum == 0)
            }
        }
        #expect(counts == [2, 3, 4])
    }

    #if JXL
    @Test("frames of a partial JPEG XL equal those of the whole file")
    func jpegXL() throws {
        let data = JXLSamples.animation
        let complete = try JXLCoder().makeAnimationDecoder(data, DecodeOptions())
        var counts: [Int] = []
        for length in 0...data.count {
            let part = data.prefix(length)
            guard let header = JXLCoder().header(ofBeginning: part), header.frameCount != counts.last else { continue }
            counts.append(header.frameCount)
            #expect(header.frameDurations == Array(complete.header.frameDurations.prefix(header.frameCount)))
            #expect(header.loopCount == 3)
            let frames = try JXLCoder().makeAnimationDecoder(part, DecodeOptions(allowsPartial: true))
            for index in 0..<header.frameCount {
                let (frame, expected) = try (frames.frame(index) { false }, complete.frame(index) { false })
                #expect(PixelDifference(frame.pixels, expected.pixels).maximum == 0)
            }
        }
        #expect(counts == [2, 3, 4])
        #expect(JXLCoder().header(ofBeginning: JXLSamples.passes) == nil)
    }
    #endif

    @Test("a still image or an incomplete header is not a partial animation")
    func others() throws {
        let still = try GIFCoder().encode(try TestImage.gradient(8, 8).image(), EncodeOptions())
        #expect(GIFCoder().header(ofBeginning: still) == nil)
        #expect(GIFCoder().header(ofBeginning: Data()) == nil)
        #expect(WebPCoder().header(ofBeginning: Data("RIFF".utf8)) == nil)
        let png = try PNGCoder().encode(try TestImage.gradient(8, 8).image(), EncodeOptions())
        #expect(PNGCoder().header(ofBeginning: png) == nil)
    }
}
