import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselCodecs

@Suite("Animation: frames of 16 bits")
struct DeepAnimationTests {
    private static let deep = DecodeOptions(depth: .sixteen)
    private static let size = PixelSize(7, 5)

    /// Returns frames with every disposal and blend mode, twice; alphas of 0, of 65,535 and between.
    private static func frames() -> [Files.DeepFrame] {
        var random = SeededGenerator(seed: 16)
        return (0..<13).map { index in
            let area =
                index == 0
                ? PixelRectangle.whole(size) : PixelRectangle(x: index % 3, y: index % 2, size: PixelSize(4, 3))
            let words = (0..<(area.size.width * area.size.height * 4)).map { word -> UInt16 in
                let value = UInt16(truncatingIfNeeded: random.next())
                guard word % 4 == 3 else { return value }
                return word % 3 == 0 ? [0, .max][Int(value & 1)] : value
            }
            return Files.DeepFrame(
                area: area, words: words, dispose: UInt8(index % 3), blend: UInt8(index / 3 % 2))
        }
    }

    /// Composites in floating point by the standard. Returns straight R, G, B, A from 0 to 65,535 of each frame.
    private static func reference(_ frames: [Files.DeepFrame]) -> [[Double]] {
        var canvas = [Double](repeating: 0, count: size.width * size.height * 4)
        return frames.map { frame in
            let before = canvas
            var offsets: [Int] = []
            for y in 0..<frame.area.size.height {
                for x in 0..<frame.area.size.width {
                    offsets.append(((frame.area.y + y) * size.width + frame.area.x + x) * 4)
                }
            }
            for (index, offset) in offsets.enumerated() {
                let source = frame.words[(index * 4)..<(index * 4 + 4)].map(Double.init)
                let share = frame.blend == 0 ? 1 : source[3] / 65_535
                let alpha = frame.blend == 0 ? source[3] : source[3] + canvas[offset + 3] * (1 - share)
                for channel in 0..<3 where alpha > 0 {
                    canvas[offset + channel] =
                        frame.blend == 0
                        ? source[channel]
                        : (source[channel] * source[3] + canvas[offset + channel] * canvas[offset + 3] * (1 - share))
                            / alpha
                }
                canvas[offset + 3] = alpha
            }
            let displayed = canvas
            if frame.dispose == 1 {
                for offset in offsets { canvas.replaceSubrange(offset..<(offset + 4), with: [0, 0, 0, 0]) }
            }
            if frame.dispose == 2 { canvas = before }
            return displayed
        }
    }

    @Test("an animated PNG is composited in 16 bits, within 2 of 65,535 (APNG 1.0)")
    func png() throws {
        let frames = Self.frames()
        let file = Files.deepAnimatedPNG(Self.size.width, Self.size.height, frames)
        for (index, expected) in Self.reference(frames).enumerated() {
            var options = Self.deep
            options.frame = index
            let image = try PNGCoder().decode(file, options)
            let deep = try #require(image.deepPixels)
            #expect(deep.colors == .standard(.sRGB) && deep.isOpaque == image.pixels.isOpaque)
            for offset in 0..<(Self.size.width * Self.size.height) {
                let pixel = deep[offset % Self.size.width, offset / Self.size.width]
                let alpha = expected[offset * 4 + 3]
                let words = [pixel.red, pixel.green, pixel.blue, pixel.alpha]
                for (channel, word) in words.enumerated() {
                    let premultiplied = channel == 3 ? alpha : expected[offset * 4 + channel] * alpha / 65_535
                    #expect(
                        abs(Double(word) - premultiplied) <= 2, "frame \(index), offset \(offset), channel \(channel)")
                }
            }
            let plain = try PNGCoder().decode(file, DecodeOptions(frame: index))
            #expect(plain.deepPixels == nil && plain.pixels.pixels == image.pixels.pixels)
        }
    }

    @Test("frames that replace the canvas keep their exact values")
    func exact() throws {
        let words = Self.frames()[0].words.enumerated().map { $0 % 4 == 3 ? UInt16.max : $1 }
        let frame = Files.DeepFrame(area: .whole(Self.size), words: words, dispose: 0, blend: 0)
        let file = Files.deepAnimatedPNG(Self.size.width, Self.size.height, [frame, frame])
        let image = try PNGCoder().decode(file, DecodeOptions(frame: 1, depth: .sixteen))
        #expect(try DeepPixelTests.words(#require(image.deepPixels)) == words)
    }

    @Test("frames in any order equal separately decoded ones, rotated and scaled", arguments: [false, true])
    func anyOrder(isSmall: Bool) throws {
        let file = Files.png(
            Files.deepAnimatedPNG(Self.size.width, Self.size.height, Self.frames()), withChunk: "eXIf",
            Files.exif(orientation: 6))
        var options = Self.deep
        if isSmall { options.targetSize = .pixels(width: 3, height: 3) }
        try Self.compare(PNGCoder(), file, options)
    }

    @Test("a cancelled frame can be decoded again")
    func cancellation() throws {
        let file = Files.deepAnimatedPNG(Self.size.width, Self.size.height, Self.frames())
        let decoder = try PNGCoder().makeAnimationDecoder(file, Self.deep)
        let single = try PNGCoder().decode(file, DecodeOptions(frame: 8, depth: .sixteen))
        _ = try decoder.frame(4) { false }
        #expect(throws: ImageError.cancelled) { try decoder.frame(8) { true } }
        let again = try decoder.frame(8) { false }
        #expect(
            try DeepPixelTests.words(#require(again.deepPixels)) == DeepPixelTests.words(#require(single.deepPixels)))
    }

    @Test("an animation returns single frames in 16 bits, and stores frames in 8 bits")
    func animation() async throws {
        let file = Files.deepAnimatedPNG(Self.size.width, Self.size.height, Self.frames())
        let animation = try Animation(data: file, coders: .standard(), options: Self.deep)
        let single = try PNGCoder().decode(file, DecodeOptions(frame: 2, depth: .sixteen))
        try animation.loadAllFrames()
        #expect(animation.isLoaded && animation.framesByteCount == 13 * 64 * 5)
        let frame = try await animation.frame(at: 2)
        #expect(
            try DeepPixelTests.words(#require(frame.deepPixels)) == DeepPixelTests.words(#require(single.deepPixels)))
        let plain = try Animation(data: file, coders: .standard())
        #expect(try await plain.frame(at: 2).deepPixels == nil)
    }

    @Test("a partial frame has no deep pixels, and a still image as an animation has them")
    func others() throws {
        let file = Files.deepAnimatedPNG(Self.size.width, Self.size.height, Self.frames())
        var options = Self.deep
        options.allowsPartial = true
        #expect(try PNGCoder().decode(file.dropLast(20), options).deepPixels == nil)
        let still = Files.deepPNG(2, 1, [1, 2, 3, .max, 4, 5, 6, .max])
        let frame = try PNGCoder().makeAnimationDecoder(still, Self.deep).frame(0) { false }
        #expect(try DeepPixelTests.words(#require(frame.deepPixels)) == [1, 2, 3, .max, 4, 5, 6, .max])
    }

    #if AVIF
    @Test("an animated AVIF of 12 bits has its exact values")
    func avif() throws {
        try Self.compare(AVIFCoder(), AVIFSamples.deepAnimation, Self.deep)
        let decoder = try AVIFCoder().makeAnimationDecoder(AVIFSamples.deepAnimation, Self.deep)
        for index in 0..<3 {
            let deep = try #require(try decoder.frame(index) { false }.deepPixels)
            for x in 0..<16 {
                let expected = [3_003 - index * 11 + x, 1_000 + index * 7, 2_001 + index * 100]
                let pixel = deep[x, 9]
                #expect(
                    [pixel.red, pixel.green, pixel.blue].map(Int.init) == expected.map { ($0 * 65_535 + 2_047) / 4_095 }
                )
            }
        }
    }
    #endif

    #if JXL
    @Test("an animated JPEG XL of 16 bits has its exact values")
    func jxl() throws {
        try Self.compare(JXLCoder(), JXLSamples.deepAnimation, Self.deep)
        let decoder = try JXLCoder().makeAnimationDecoder(JXLSamples.deepAnimation, Self.deep)
        func values(_ x: Int, _ y: Int, _ frame: Int) -> [Int] {
            [10_001 + x * 1_111 + frame * 3, 20_002 + y * 777, 60_000 - frame * 12_345]
        }
        for index in 0..<3 {
            let deep = try #require(try decoder.frame(index) { false }.deepPixels)
            for y in 0..<4 {
                for x in 0..<8 {
                    let isPart = index == 1 && (2..<6).contains(x) && (1..<3).contains(y)
                    let expected = isPart ? values(x - 2, y - 1, 1) : values(x, y, index == 1 ? 0 : index)
                    let pixel = deep[x, y]
                    #expect(
                        [pixel.red, pixel.green, pixel.blue].map(Int.init) == expected, "frame \(index), \(x), \(y)")
                }
            }
        }
    }
    #endif

    /// Compares frames in any order with separately decoded ones, both the deep pixels and those of 8 bits.
    private static func compare(_ coder: any AnimationDecoding, _ file: Data, _ options: DecodeOptions) throws {
        let decoder = try coder.makeAnimationDecoder(file, options)
        let last = decoder.header.frameCount - 1
        #expect(last > 1)
        for index in Array(0...last) + [last, 0, last / 2, last / 2, last - 1, 1] {
            let image = try decoder.frame(index) { false }
            var single = options
            single.frame = index
            #expect(
                try DeepPixelTests.words(#require(image.deepPixels))
                    == DeepPixelTests.words(#require(coder.decode(file, single).deepPixels)), "frame \(index)")
            single.depth = .eight
            #expect(try image.pixels.pixels == coder.decode(file, single).pixels.pixels, "frame \(index)")
        }
    }
}
