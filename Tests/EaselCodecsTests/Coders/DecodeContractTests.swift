import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Coders: contract of decoders (X151)")
struct DecodeContractTests {
    struct Sample: CustomTestStringConvertible {
        var decoder: any ImageDecoding
        var file: Data
        var testDescription: String { decoder.format.name }
    }

    static func samples() throws -> [Sample] {
        let original = try Images.gradient(40, 30)
        let qoi = try QOICoder().encode(DecodedImage(pixels: original, metadata: ImageMetadata()), EncodeOptions())
        let ppm = Data("P6 40 30 255\n".utf8) + [UInt8](repeating: 99, count: 40 * 30 * 3)
        let icon = try ClassicFiles.ico([(40, 30, Array(Files.png(original)))])
        var samples = [
            Sample(decoder: BMPCoder(), file: ClassicFiles.bmp(40, 30)), Sample(decoder: ICOCoder(), file: icon),
            Sample(decoder: QOICoder(), file: qoi), Sample(decoder: PNMCoder(), file: ppm),
            Sample(decoder: JPEGCoder(), file: try Files.jpeg(original)),
            Sample(decoder: PNGCoder(), file: try Files.png(original)),
            Sample(decoder: WebPCoder(), file: try Files.webp(original)),
            Sample(decoder: GIFCoder(), file: Files.gif),
        ]
        #if TIFF
        samples.append(Sample(decoder: TIFFCoder(), file: ClassicFiles.tiff(40, 30)))
        #endif
        #if AVIF
        samples.append(Sample(decoder: AVIFCoder(), file: try Files.avif(original)))
        #endif
        #if HEIF
        samples.append(Sample(decoder: HEICCoder(), file: HEIFSamples.turned))
        #endif
        #if JXL
        samples.append(Sample(decoder: JXLCoder(), file: try Files.jxl(original)))
        #endif
        return samples
    }

    @Test("the standard registry finds the coder by content (X153)", arguments: try samples())
    func registry(_ sample: Sample) throws {
        #expect(try CoderRegistry.standard().decoder(for: sample.file).format == sample.decoder.format)
    }

    @Test("a cancelled decode throws", arguments: try samples())
    func cancellation(_ sample: Sample) {
        #expect(throws: ImageError.cancelled) {
            try sample.decoder.decode(sample.file, DecodeOptions(isCancelled: { true }))
        }
    }

    @Test("a missing frame is refused", arguments: try samples())
    func frame(_ sample: Sample) {
        for frame in [-1, 1] {
            let error = #expect(throws: ImageError.self) {
                try sample.decoder.decode(sample.file, DecodeOptions(frame: frame))
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("an image is never scaled up", arguments: try samples())
    func doesNotUpscale(_ sample: Sample) throws {
        let header = try sample.decoder.header(of: sample.file)
        let options = DecodeOptions(targetSize: .pixels(width: 1000, height: 1000))
        let image = try sample.decoder.decode(sample.file, options)
        #expect(image.size == header.size)
        #expect(!image.metadata.isThumbnail)
    }

    @Test("an opaque image is marked as opaque", arguments: try samples())
    func opaque(_ sample: Sample) throws {
        #expect(try !sample.decoder.header(of: sample.file).hasAlpha)
        #expect(try sample.decoder.decode(sample.file, DecodeOptions()).pixels.isOpaque)
    }

    @Test("a file without its last third is an error", arguments: try samples())
    func cutOff(_ sample: Sample) {
        let cut = sample.file.prefix(sample.file.count * 2 / 3)
        let error = #expect(throws: ImageError.self) { try sample.decoder.decode(cut, DecodeOptions()) }
        #expect(error?.code == .badData)
    }

    @Test("an empty file is an error", arguments: try samples())
    func empty(_ sample: Sample) {
        let error = #expect(throws: ImageError.self) { try sample.decoder.header(of: Data()) }
        #expect(error?.code == .badData)
    }

    @Test("a slice of a larger buffer is decoded like a separate file", arguments: try samples())
    func slice(_ sample: Sample) throws {
        let slice = (Data([1, 2, 3]) + sample.file).dropFirst(3)
        let single = try sample.decoder.decode(sample.file, DecodeOptions())
        #expect(try sample.decoder.decode(slice, DecodeOptions()).pixels.pixels == single.pixels.pixels)
    }

    @Test("a truncated file is decoded in part if that is allowed")
    func partial() throws {
        let original = try Images.noise(64, 64, seed: 2)
        for (decoder, file) in [
            (JPEGCoder() as any ImageDecoding, try Files.jpeg(original)), (WebPCoder(), try Files.webp(original)),
        ] {
            let cut = file.prefix(file.count * 2 / 3)
            let image = try decoder.decode(cut, DecodeOptions(allowsPartial: true))
            #expect(image.metadata.isPartial)
            #expect(image.size == original.size)
            let complete = try decoder.decode(file, DecodeOptions()).pixels
            #expect(!complete.pixels.isEmpty)
            #expect((0..<64).allSatisfy { image.pixels[$0, 2] == complete[$0, 2] })
        }
    }
}
