#if JXL
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("JPEG XL: animation")
struct JXLAnimationTests {
    private let coder = JXLCoder()
    private let file = JXLSamples.animation

    @Test("durations are normalized (X155), and the loop count is that of the file (X154)")
    func timing() throws {
        let header = try coder.header(of: file)
        #expect(header.frameCount == 5)
        #expect(header.frameDurations == [100, 40, 100, 250, 40].map { .milliseconds($0) })
        #expect(header.loopCount == 3)
    }

    @Test("a partial frame is drawn over the frame it refers to")
    func composition() throws {
        let image = try coder.decode(file, DecodeOptions(frame: 2))
        let green = Pixel(blue: 0, green: 255, red: 0, alpha: 255)
        let blue = Pixel(blue: 255, green: 0, red: 0, alpha: 255)
        for y in 0..<8 {
            for x in 0..<8 {
                let isSquare = (2..<6).contains(x) && (1..<5).contains(y)
                #expect(image.pixels[x, y] == (isSquare ? blue : green), "\(x), \(y)")
            }
        }
    }

    @Test("frames decoded in any order equal those decoded in sequence")
    func randomAccess() throws {
        let decoder = try coder.makeAnimationDecoder(file, DecodeOptions())
        var inOrder: [[Pixel]] = []
        for index in 0..<5 {
            let image = try decoder.frame(index) { false }
            #expect(image.metadata.frameIndex == index)
            inOrder.append(image.pixels.pixels)
        }
        #expect(Set(inOrder.map(\.description)).count == 5)
        for index in [4, 0, 3, 3, 1, 2, 4] {
            let image = try decoder.frame(index) { false }
            #expect(image.pixels.pixels == inOrder[index], "frame \(index)")
            #expect(try coder.decode(file, DecodeOptions(frame: index)).pixels.pixels == inOrder[index])
        }
    }

    @Test("a cancelled frame can be decoded again")
    func cancellation() throws {
        let decoder = try coder.makeAnimationDecoder(file, DecodeOptions())
        let first = try decoder.frame(1) { false }
        #expect(throws: ImageError.cancelled) { try decoder.frame(2) { true } }
        #expect(try decoder.frame(2) { false }.pixels[3, 3].blue == 255)
        #expect(try decoder.frame(1) { false }.pixels.pixels == first.pixels.pixels)
    }

    @Test("a missing frame and too many frames are errors")
    func refusals() throws {
        let decoder = try coder.makeAnimationDecoder(file, DecodeOptions())
        #expect(throws: ImageError.self) { try decoder.frame(5) { false } }
        #expect(throws: ImageError.tooLarge(.frames(4, limit: 3))) {
            try coder.makeAnimationDecoder(file, DecodeOptions(limits: ImageLimits(frames: 3)))
        }
    }

    @Test("the complete frames of a truncated animation are decoded if that is allowed")
    func partial() throws {
        let cut = file.dropLast(12)
        #expect(throws: ImageError.self) { try coder.decode(cut, DecodeOptions()) }
        let image = try coder.decode(cut, DecodeOptions(frame: 1, allowsPartial: true))
        #expect(image.metadata.isPartial)
        #expect(image.pixels[0, 0] == Pixel(blue: 0, green: 255, red: 0, alpha: 255))
    }
}
#endif
