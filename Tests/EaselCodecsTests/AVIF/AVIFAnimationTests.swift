#if AVIF
import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("AVIF: animation")
struct AVIFAnimationTests {
    private let coder = AVIFCoder()
    private let file = AVIFSamples.animation

    @Test("durations are normalized (X155), and a file without an edit list plays indefinitely (X154)")
    func timing() throws {
        let header = try coder.header(of: file)
        #expect(header.frameCount == 5)
        #expect(header.frameDurations == [100, 40, 100, 250, 40].map { .milliseconds($0) })
        #expect(header.loopCount == 0)
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
        let reds = inOrder.map { Int($0[0].red) }
        #expect(zip(reds, [255, 0, 0, 255, 0]).allSatisfy { abs($0 - $1) <= 6 })
        for index in [4, 0, 3, 3, 1, 2] {
            let image = try decoder.frame(index) { false }
            #expect(image.pixels.pixels == inOrder[index], "frame \(index)")
            #expect(try coder.decode(file, DecodeOptions(frame: index)).pixels.pixels == inOrder[index])
        }
    }

    @Test("every frame has the target size")
    func size() throws {
        let options = DecodeOptions(targetSize: .pixels(width: 4, height: 4))
        let decoder = try coder.makeAnimationDecoder(file, options)
        #expect(try decoder.frame(2) { false }.size == PixelSize(4, 4))
    }

    @Test("a missing frame, a cancelled frame and too many frames are errors")
    func refusals() throws {
        let decoder = try coder.makeAnimationDecoder(file, DecodeOptions())
        #expect(throws: ImageError.self) { try decoder.frame(5) { false } }
        #expect(throws: ImageError.cancelled) { try decoder.frame(1) { true } }
        #expect(throws: ImageError.tooLarge(.frames(5, limit: 4))) {
            try coder.makeAnimationDecoder(file, DecodeOptions(limits: ImageLimits(frames: 4)))
        }
    }
}
#endif
