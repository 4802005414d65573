import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Encoders: options (X152)")
struct EncodeOptionsTests {
    struct Sample: CustomTestStringConvertible {
        var encoder: any ImageEncoding
        var decoder: any ImageDecoding
        var testDescription: String { encoder.format.name }
    }

    static let samples = [
        Sample(encoder: JPEGCoder(), decoder: JPEGCoder()), Sample(encoder: PNGCoder(), decoder: PNGCoder()),
        Sample(encoder: WebPCoder(), decoder: WebPCoder()), Sample(encoder: GIFCoder(), decoder: GIFCoder()),
        Sample(encoder: APNGCoder(), decoder: PNGCoder()), Sample(encoder: QOICoder(), decoder: QOICoder()),
    ]

    /// Slower encoders, of formats that not every build supports.
    static let slowSamples: [Sample] = {
        var samples: [Sample] = []
        #if AVIF
        samples.append(Sample(encoder: AVIFCoder(), decoder: AVIFCoder()))
        #endif
        #if JXL
        samples.append(Sample(encoder: JXLCoder(), decoder: JXLCoder()))
        #endif
        return samples
    }()

    private func image(_ pixels: PixelBuffer) -> DecodedImage {
        DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }

    @Test("an image larger than the box is scaled to fit it, and a smaller image is unchanged", arguments: samples)
    func pixelSize(_ sample: Sample) throws {
        let original = image(try Images.gradient(64, 48))
        for (box, size) in [(PixelSize(32, 100), PixelSize(32, 24)), (PixelSize(100, 100), PixelSize(64, 48))] {
            let file = try sample.encoder.encode(original, EncodeOptions(maximumPixelSize: box))
            #expect(try sample.decoder.header(of: file).size == size)
        }
    }

    @Test("the file is within the byte limit", arguments: samples, [6_000, 2_000, 900])
    func byteCount(_ sample: Sample, limit: Int) throws {
        let original = image(try Images.noise(48, 32, seed: 3))
        let file = try sample.encoder.encode(original, EncodeOptions(maximumByteCount: limit))
        #expect(file.count <= limit)
        #expect(try sample.decoder.decode(file, DecodeOptions()).size.width >= 1)
    }

    @Test("slow encoders respect the size and byte limits too", arguments: slowSamples)
    func slowBounds(_ sample: Sample) throws {
        let original = image(try Images.noise(64, 48, seed: 4))
        let small = try sample.encoder.encode(original, EncodeOptions(maximumPixelSize: PixelSize(16, 16)))
        #expect(try sample.decoder.header(of: small).size == PixelSize(16, 12))
        #expect(try sample.encoder.encode(original, EncodeOptions(maximumByteCount: 2_500)).count <= 2_500)
    }

    @Test("an impossible byte limit is an error", arguments: samples)
    func impossible(_ sample: Sample) throws {
        let original = image(try Images.noise(20, 20, seed: 3))
        let error = #expect(throws: ImageError.self) {
            try sample.encoder.encode(original, EncodeOptions(maximumByteCount: 10))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("quality is reduced before the size, and no more than needed")
    func qualityFirst() throws {
        let original = image(try Images.noise(64, 64, seed: 5))
        let best = try JPEGCoder().encode(original, EncodeOptions(quality: 0.9)).count
        let file = try JPEGCoder().encode(original, EncodeOptions(quality: 0.9, maximumByteCount: best * 2 / 3))
        #expect(try JPEGCoder().header(of: file).size == original.size)
        #expect(file.count > best / 2)
    }

    @Test("a byte limit that the file already meets has no effect")
    func unneeded() throws {
        let original = image(try Images.gradient(32, 32))
        let plain = try JPEGCoder().encode(original, EncodeOptions())
        #expect(try JPEGCoder().encode(original, EncodeOptions(maximumByteCount: plain.count)) == plain)
    }

    @Test("a progressive JPEG has several scans of the same image")
    func progressive() throws {
        let original = image(try Images.gradient(64, 64))
        let files = try [false, true].map { try JPEGCoder().encode(original, EncodeOptions(isProgressive: $0)) }
        #expect(files.map { $0.firstRange(of: Data([0xFF, 0xC2])) != nil } == [false, true])
        let pixels = try files.map { try JPEGCoder().decode($0, DecodeOptions()).pixels.pixels }
        #expect(pixels[0] == pixels[1])
    }

    @Test("a lossless WebP has the exact pixels at any quality")
    func lossless() throws {
        let original = image(try Images.noise(32, 32, seed: 6))
        let file = try WebPCoder().encode(original, EncodeOptions(quality: 0.2, isLossless: true))
        #expect(try WebPCoder().decode(file, DecodeOptions()).pixels.pixels == original.pixels.pixels)
    }
}
