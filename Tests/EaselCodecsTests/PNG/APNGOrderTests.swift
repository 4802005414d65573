import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("APNG: chunk order")
struct APNGOrderTests {
    /// Returns the chunks of an animated PNG in file order: the header, acTL, the first fcTL, and the rest.
    private func parts() throws -> (header: Data, animation: Data, control: Data, rest: Data) {
        let file = try Files.animatedPNG(16, 12)
        return (file[..<33], file[33..<53], file[53..<91], file[91...])
    }

    @Test("the first fcTL may precede acTL, as in browsers")
    func control() throws {
        let parts = try parts()
        let file = parts.header + parts.control + parts.animation + parts.rest
        let ordered = try Files.animatedPNG(16, 12)
        #expect(file != ordered)
        let header = try PNGCoder().header(of: file)
        #expect(header.format == .apng && header.frameCount == 3)
        for frame in 0..<3 {
            let options = DecodeOptions(frame: frame)
            let expected = try PNGCoder().decode(ordered, options).pixels.pixels
            #expect(try PNGCoder().decode(file, options).pixels.pixels == expected)
        }
        #expect(PNGCoder().header(ofBeginning: file)?.frameCount == 3)
    }

    @Test("fcTL without acTL is a still image")
    func still() throws {
        let parts = try parts()
        let file = parts.header + parts.control + parts.rest
        let header = try PNGCoder().header(of: file)
        #expect(header.format == .png && header.frameCount == 1)
        let expected = try PNGCoder().decode(Files.animatedPNG(16, 12), DecodeOptions()).pixels.pixels
        #expect(try PNGCoder().decode(file, DecodeOptions()).pixels.pixels == expected)
    }

    @Test("a second fcTL of the first frame is an error")
    func twice() throws {
        let parts = try parts()
        let error = #expect(throws: ImageError.self) {
            try PNGCoder().header(of: parts.header + parts.control + parts.animation + parts.control + parts.rest)
        }
        #expect(error?.code == .badData)
    }
}
