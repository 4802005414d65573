import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite("Animation: encoding (X154, X155, X165)")
struct AnimationEncodeTests {
    struct Sample: CustomTestStringConvertible {
        var encoder: any AnimationEncoding
        var decoder: any ImageDecoding
        /// Lossless options.
        var options = EncodeOptions()
        /// Whether equal consecutive frames are merged, as libwebpmux does.
        var joinsEqualFrames = false
        var testDescription: String { encoder.format.name }
    }

    static let samples = [
        Sample(encoder: GIFCoder(), decoder: GIFCoder()),
        Sample(encoder: APNGCoder(), decoder: PNGCoder()),
        Sample(
            encoder: WebPCoder(), decoder: WebPCoder(), options: EncodeOptions(isLossless: true),
            joinsEqualFrames: true),
    ]

    /// A square that moves over clear and colored ground, jumps, pauses for a frame, and disappears.
    static func frames(isOpaque: Bool) throws -> [PixelBuffer] {
        try [(0, 0), (4, 2), (4, 2), (20, 9), (-9, -9), (12, 0)].map { left, top in
            try PixelBuffer.drawn(40, 24, isOpaque: isOpaque) { x, y in
                if (left..<(left + 8)).contains(x), (top..<(top + 8)).contains(y) {
                    return Pixel(blue: 10, green: UInt8(x * 4), red: 200, alpha: 255)
                }
                if !isOpaque, x < 30 { return Pixel(blue: 0, green: 0, red: 0, alpha: 0) }
                return Pixel(blue: UInt8(y * 8), green: 40, red: 40, alpha: 255)
            }
        }
    }

    static let milliseconds = [20, 70, 100, 1_230, 40, 500]

    @Test("every frame is decoded as it was encoded", arguments: samples, [true, false])
    func pixels(_ sample: Sample, isOpaque: Bool) throws {
        var frames = try Self.frames(isOpaque: isOpaque)
        let animation = Files.animation(frames, milliseconds: Self.milliseconds, isOpaque: isOpaque)
        if sample.joinsEqualFrames { frames.remove(at: 2) }
        let file = try sample.encoder.encode(animation, sample.options)
        let header = try sample.decoder.header(of: file)
        try #require(header.frameCount == frames.count)
        #expect(header.format == sample.encoder.format)
        #expect(header.hasAlpha == !isOpaque)
        for (index, frame) in frames.enumerated() {
            let decoded = try sample.decoder.decode(file, DecodeOptions(frame: index))
            #expect(decoded.pixels.pixels == frame.pixels, "frame \(index)")
        }
    }

    @Test("durations and loop counts are kept", arguments: samples, [0, 1, 3])
    func timing(_ sample: Sample, loopCount: Int) throws {
        let frames = try Self.frames(isOpaque: true)
        let animation = Files.animation(frames, milliseconds: Self.milliseconds, loopCount: loopCount, isOpaque: true)
        let header = try sample.decoder.header(of: try sample.encoder.encode(animation, sample.options))
        let durations = sample.joinsEqualFrames ? [20, 170, 1_230, 40, 500] : Self.milliseconds
        #expect(header.frameDurations == durations.map { .milliseconds($0) })
        #expect(header.loopCount == loopCount)
    }

    @Test("unchanged pixels are not stored again", arguments: samples)
    func differences(_ sample: Sample) throws {
        let ground = try Images.noise(32, 32, seed: 8)
        let one = try sample.encoder.encode(
            Files.animation([ground], milliseconds: [50], isOpaque: true), sample.options)
        let ten = try sample.encoder.encode(
            Files.animation(
                Array(repeating: ground, count: 10), milliseconds: Array(repeating: 50, count: 10), isOpaque: true),
            sample.options)
        #expect(ten.count < one.count + 3_000)
    }

    @Test("frames are requested in order, once each", arguments: samples)
    func requestsFramesInOrder(_ sample: Sample) throws {
        let frames = try Self.frames(isOpaque: true)
        var indices: [Int] = []
        let durations = [Duration](repeating: .milliseconds(50), count: 6)
        let animation = AnimationFrames(durations: durations, size: frames[0].size, loopCount: 0) { index in
            indices.append(index)
            return frames[index]
        }
        _ = try sample.encoder.encode(animation, sample.options)
        #expect(indices == [0, 1, 2, 3, 4, 5])
    }

    @Test("a failing frame ends the encoding", arguments: samples)
    func failure(_ sample: Sample) throws {
        let frame = try Images.gradient(4, 4)
        let durations = [Duration](repeating: .milliseconds(50), count: 6)
        let animation = AnimationFrames(durations: durations, size: frame.size, loopCount: 0) {
            (index) throws(ImageError) in
            if index == 3 { throw .cancelled }
            return frame
        }
        #expect(throws: ImageError.cancelled) { try sample.encoder.encode(animation, sample.options) }
    }

    @Test("the size and byte limits apply to animations too (X152)", arguments: samples)
    func limits(_ sample: Sample) throws {
        let frames = try (0..<3).map { try Images.noise(32, 24, seed: UInt64($0)) }
        let animation = Files.animation(frames, milliseconds: [50, 50, 50], isOpaque: true)
        var options = sample.options
        options.maximumPixelSize = PixelSize(24, 24)
        let scaled = try sample.encoder.encode(animation, options)
        #expect(try sample.decoder.header(of: scaled).size == PixelSize(24, 18))
        options.maximumByteCount = 2_000
        let small = try sample.encoder.encode(animation, options)
        #expect(small.count <= 2_000)
        #expect(try sample.decoder.header(of: small).frameCount == 3)
    }

    @Test("a still image is encoded as an animation of one frame", arguments: samples)
    func still(_ sample: Sample) throws {
        let image = try PixelBuffer.drawn(9, 5, isOpaque: true) { x, y in
            Pixel(blue: UInt8(x * 9), green: UInt8(y * 9), red: 7, alpha: 255)
        }
        let file = try sample.encoder.encode(
            DecodedImage(pixels: image, metadata: ImageMetadata()), sample.options)
        #expect(try sample.decoder.decode(file, DecodeOptions()).pixels.pixels == image.pixels)
    }
}
