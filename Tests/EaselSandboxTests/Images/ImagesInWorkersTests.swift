#if Sandbox
import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

extension ProcessTests {
    @Suite("images", .timeLimit(.minutes(10)))
    struct ImagesInWorkersTests {
        private let here = CoderRegistry.standard()
        private let isolated = CoderRegistry.standard()
        private let sandbox: Sandbox

        init() throws {
            sandbox = try Sandboxes.standard()
            isolated.isolate(nil, in: sandbox)
        }

        private func compare(_ data: Data, _ name: String, _ options: DecodeOptions = DecodeOptions()) {
            func outcome(_ coders: CoderRegistry) -> Result<DecodedImage, ImageError> {
                Result { () throws(ImageError) in try coders.decoder(for: data).decode(data, options) }
            }
            switch (outcome(here), outcome(isolated)) {
            case (.success(let first), .success(let second)):
                #expect(first.metadata == second.metadata, "\(name)")
                #expect(first.pixels.isOpaque == second.pixels.isOpaque, "\(name)")
                #expect(first.pixels.hasSameRows(as: second.pixels), "\(name)")
                #expect(first.deepPixels?.colors == second.deepPixels?.colors, "\(name)")
                #expect(first.deepPixels?.rows == second.deepPixels?.rows, "\(name)")
                #expect(first.gainMap?.parameters == second.gainMap?.parameters, "\(name)")
                #expect(
                    first.gainMap.flatMap { map in second.gainMap.map { map.pixels.hasSameRows(as: $0.pixels) } }
                        ?? (first.gainMap == nil && second.gainMap == nil), "\(name)")
            case (.failure(let first), .failure(let second)): #expect(first.code == second.code, "\(name)")
            case (let first, let second): Issue.record("\(name): \(first) here, \(second) in a worker")
            }
        }

        @Test("a worker decodes the same pixels, at full size and as a thumbnail", arguments: ImageFormat.known)
        func formats(_ format: ImageFormat) throws {
            guard let encoder = here.encoder(for: format) else { return }
            let data = try encoder.encode(TestImage.gradient(301, 203).image(), EncodeOptions())
            compare(data, format.name)
            compare(data, format.name, DecodeOptions(targetSize: .pixels(width: 40, height: 40)))
            compare(data, format.name, DecodeOptions(targetSize: .scaledDown(bytes: 4_000), colorSpace: .displayP3))
            #expect(sandbox.statistics.unprotected == 0)
        }

        @Test("a worker draws text, embedded images, filters and character sets of SVG the same")
        func drawings() throws {
            let pixels = try TestImage.gradient(8, 8).image()
            func embedded(_ format: ImageFormat) throws -> String {
                let data = try #require(here.encoder(for: format)).encode(pixels, EncodeOptions())
                return
                    "<image width='60' height='60' href='data:\(format.mediaType);base64,\(data.base64EncodedString())'/>"
            }
            let fonts = ["serif", "sans-serif", "monospace", "cursive", "Helvetica", "DejaVu Sans", "no such font"]
            let text = fonts.enumerated().map { index, font in
                "<text x='2' y='\(index * 14 + 12)' font-family='\(font)' font-weight='bold'>Hag\(index) äß 漢 Ж</text>"
            }
            let blur =
                "<filter id='f'><feGaussianBlur stdDeviation='3'/></filter><rect width='50' height='50' filter='url(#f)'/>"
            for content in try [text.joined(), embedded(.png), embedded(.jpeg), embedded(.gif), blur, blur + text[0]] {
                let document = "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='120'>\(content)</svg>"
                for _ in 0..<2 { compare(Data(document.utf8), String(content.prefix(60))) }
            }
            let latin =
                "<?xml version='1.0' encoding='ISO-8859-15'?><svg xmlns='http://www.w3.org/2000/svg' width='90' "
                + "height='30'><text y='20'>Gr\u{FC}\u{DF}e</text></svg>"
            compare(try #require(latin.data(using: .isoLatin1)), "ISO-8859-15")
            #expect(sandbox.statistics.crashes == 0)
            #expect(sandbox.statistics.unprotected == 0)
        }

        @Test("a worker decodes the same frames of an animation, in any order")
        func animation() throws {
            let durations = [Duration](repeating: .milliseconds(40), count: 6)
            let frames = AnimationFrames(durations: durations, size: PixelSize(30, 20), loopCount: 0) {
                (index) throws(ImageError) in
                let value = UInt8(40 * index)
                let color = Pixel(blue: value, green: 255 - value, red: 9, alpha: 255)
                return try TestImage.solid(color, 30, 20).pixels()
            }
            for format in [ImageFormat.webp, .gif] {
                let data = try #require(here.encoder(for: format) as? any AnimationEncoding).encode(
                    frames, EncodeOptions())
                let first = try #require(here.decoder(for: data) as? any AnimationDecoding)
                let second = try #require(isolated.decoder(for: data) as? any AnimationDecoding)
                let decoders = try (
                    first.makeAnimationDecoder(data, DecodeOptions()),
                    second.makeAnimationDecoder(data, DecodeOptions())
                )
                #expect(decoders.0.header == decoders.1.header)
                for index in [0, 1, 2, 5, 3, 0] {
                    let expected = try decoders.0.frame(index) { false }
                    #expect(try decoders.1.frame(index) { false }.pixels.hasSameRows(as: expected.pixels))
                }
                #expect(throws: ImageError.self) { try decoders.1.frame(6) { false } }
                #expect(first.header(ofBeginning: data.dropLast(40)) == second.header(ofBeginning: data.dropLast(40)))
            }
        }

        @Test("a worker returns the gain map and the HDR image")
        func gainMap() throws {
            func file(_ width: Int, _ height: Int, xmp: String) throws -> Data {
                var options = EncodeOptions()
                options.metadata = FileMetadata(xmp: Data(xmp.utf8))
                return try JPEGCoder().encode(TestImage.gradient(width, height).image(), options)
            }
            let map = try file(
                20, 16, xmp: "<a hdrgm:Version='1.0' hdrgm:GainMapMax='2' hdrgm:HDRCapacityMax='2'/>")
            let data =
                try file(
                    60, 48, xmp: "<Container:Item Item:Semantic='GainMap' Item:Length='\(map.count)'/>") + map
            var half = DecodeOptions()
            half.hdrHeadroom = 2
            for options in [DecodeOptions(depth: .sixteen), half, DecodeOptions()] {
                compare(data, "gain map", options)
            }
            let image = try isolated.decoder(for: data).decode(data, DecodeOptions(depth: .sixteen))
            #expect(image.gainMap != nil && image.deepPixels?.colors == .perceptualQuantizer)
            #expect(image.metadata.header?.gainMapHeadroom == 4)
            #expect(sandbox.statistics.crashes == 0)
        }

        @Test("metadata is read in a worker")
        func metadata() throws {
            var options = EncodeOptions()
            options.metadata = FileMetadata(xmp: Data("<x:xmpmeta/>".utf8))
            let data = try WebPCoder().encode(TestImage.gradient(8, 8).image(), options)
            let decoder = try #require(isolated.decoder(for: data) as? any MetadataReading)
            #expect(try decoder.metadata(of: data) == WebPCoder().metadata(of: data))
        }

        @Test("a worker decodes the corpora to the same headers and pixels", .enabled(if: !Self.files.isEmpty))
        func corpora() throws {
            for file in Self.files {
                let data = try Data(contentsOf: file)
                let name = file.lastPathComponent
                let headers = [here, isolated].map { coders in
                    Result { () throws(ImageError) in try coders.decoder(for: data).header(of: data) }
                }
                #expect((try? headers[0].get()) == (try? headers[1].get()), "\(name)")
                compare(data, name)
                compare(data, name, DecodeOptions(targetSize: .pixels(width: 90, height: 90), depth: .sixteen))
            }
            #expect(sandbox.statistics.crashes == 0)
            #expect(sandbox.statistics.unprotected == 0)
        }

        /// The files of the corpora. Files that take longer than a second to decode are left out.
        private static let files: [URL] = {
            ["webp", "avif", "heic", "jxl", "tiff", "svg", "apng", "gif"].flatMap { format in
                (try? FileManager.default.contentsOfDirectory(
                    at: Sandboxes.corpora.appending(path: format), includingPropertiesForKeys: nil)) ?? []
            }
            .filter { !$0.lastPathComponent.contains("large_toc") }
            .sorted { $0.path < $1.path }
        }()
    }
}

extension PixelBuffer {
    /// Whether all pixels are the same. The padding of rows is undefined.
    func hasSameRows(as other: PixelBuffer) -> Bool {
        size == other.size
            && withUnsafeBytes { first in
                other.withUnsafeBytes { second in
                    (0..<height).allSatisfy { row in
                        let range = (row * bytesPerRow)..<(row * bytesPerRow + width * 4)
                        return first[range].elementsEqual(second[range])
                    }
                }
            }
    }
}

extension DeepPixelBuffer {
    fileprivate var rows: [[UInt8]] {
        withUnsafeBytes { bytes in
            (0..<size.height).map { Array(bytes[($0 * bytesPerRow)..<($0 * bytesPerRow + size.width * 8)]) }
        }
    }
}
#endif
