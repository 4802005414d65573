import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Encoders: effort")
struct EncodeEffortTests {
    private func image(_ pixels: PixelBuffer) -> DecodedImage {
        DecodedImage(pixels: pixels, metadata: ImageMetadata())
    }

    private func options(
        _ quality: Double = 0.8, isLossless: Bool = false, effort: Int? = nil, chroma: ChromaSubsampling? = nil,
        ownTables: Bool = false, level: Int? = nil
    ) -> EncodeOptions {
        var options = EncodeOptions(quality: quality, isLossless: isLossless)
        options.effort = effort
        options.chromaSubsampling = chroma
        options.optimizesHuffmanTables = ownTables
        options.compressionLevel = level
        return options
    }

    @Test("PNG: more effort makes smaller files of the same pixels")
    func png() throws {
        let original = image(try Images.gradient(120, 90))
        var sizes: [Int] = []
        for effort in [0, 5, 9] {
            let file = try PNGCoder().encode(original, options(effort: effort))
            sizes.append(file.count)
            #expect(try PNGCoder().decode(file, DecodeOptions()).pixels[60, 30] == original.pixels[60, 30])
        }
        #expect(sizes[0] >= sizes[1] && sizes[1] >= sizes[2])
        let standard = try PNGCoder().encode(original, options())
        #expect(try PNGCoder().encode(original, options(level: 6)) == standard)
        #expect(try PNGCoder().encode(original, options(effort: 5)) == standard)
        let best = try PNGCoder().encode(original, options(effort: 0, level: 12))
        #expect(best.count == sizes[2])
        for level in [-5, 0, 99] { _ = try PNGCoder().encode(original, options(level: level)) }
    }

    @Test("JPEG: own Huffman tables make smaller files of the same pixels")
    func huffmanTables() throws {
        let original = image(try Images.gradient(160, 120))
        let plain = try JPEGCoder().encode(original, options(0.8))
        let optimized = try JPEGCoder().encode(original, options(0.8, ownTables: true))
        #expect(optimized.count < plain.count)
        #expect(try JPEGCoder().encode(original, options(0.8, effort: 3)) == optimized)
        #expect(try JPEGCoder().encode(original, options(0.8, effort: 2)) == plain)
        let first = try JPEGCoder().decode(plain, DecodeOptions()).pixels
        let second = try JPEGCoder().decode(optimized, DecodeOptions()).pixels
        for x in stride(from: 0, to: 160, by: 7) { #expect(first[x, 50] == second[x, 50]) }
    }

    /// The sampling factors of the first component: byte 11 of the frame header.
    private func sampling(_ file: Data) throws -> UInt8 {
        let bytes = Array(file)
        let marker = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1]) })
        return bytes[marker + 11]
    }

    @Test("JPEG: colors have the requested resolution, or one that suits the quality")
    func chroma() throws {
        let original = image(try Images.gradient(32, 32))
        func sampling(_ quality: Double, _ chroma: ChromaSubsampling?) throws -> UInt8 {
            try self.sampling(
                JPEGCoder().encode(original, options(quality, chroma: chroma)))
        }
        #expect(try sampling(0.8, nil) == 0x22)
        #expect(try sampling(0.95, nil) == 0x11)
        #expect(try sampling(0.8, .full) == 0x11)
        #expect(try sampling(0.8, .half) == 0x21)
        #expect(try sampling(0.95, .quarter) == 0x22)
    }

    @Test("WebP: the default is libwebp's method 4, and every effort is valid")
    func webP() throws {
        let original = image(try Images.gradient(64, 48))
        for isLossless in [false, true] {
            let standard = try WebPCoder().encode(original, options(0.75, isLossless: isLossless))
            #expect(
                try WebPCoder().encode(original, options(0.75, isLossless: isLossless, effort: 5))
                    == standard)
            for effort in [-1, 0, 2, 9, 50] {
                let file = try WebPCoder().encode(
                    original, options(0.75, isLossless: isLossless, effort: effort))
                #expect(try WebPCoder().decode(file, DecodeOptions()).size == original.size)
            }
        }
    }

    #if AVIF
    @Test("AVIF: the default is an effort of 2, and colors have the requested resolution")
    func avif() throws {
        let original = image(try Images.gradient(64, 48))
        let standard = try AVIFCoder().encode(original, options(0.65))
        #expect(try AVIFCoder().encode(original, options(0.65, effort: 2)) == standard)
        for chroma in ChromaSubsampling.allCases {
            let file = try AVIFCoder().encode(original, options(0.65, chroma: chroma))
            #expect(try AVIFCoder().decode(file, DecodeOptions()).size == original.size)
            #expect((file == standard) == (chroma == .quarter))
        }
        let lossless = options(isLossless: true, chroma: .quarter)
        let exact = try AVIFCoder().decode(AVIFCoder().encode(original, lossless), DecodeOptions())
        #expect(exact.pixels[10, 10] == original.pixels[10, 10])
    }
    #endif

    #if JXL
    @Test("JPEG XL: the default is an effort of 4")
    func jxl() throws {
        let original = image(try Images.gradient(64, 48))
        let standard = try JXLCoder().encode(original, options(0.8))
        #expect(try JXLCoder().encode(original, options(0.8, effort: 4)) == standard)
        #expect(try JXLCoder().encode(original, options(0.8, effort: 0)).count >= standard.count / 2)
    }
    #endif

    @Test("requests with other options of the encode have other keys")
    func keys() throws {
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        let all = [
            options(), options(effort: 1), options(chroma: .full),
            options(ownTables: true), options(level: 1),
        ]
        let keys = all.map { options in
            ImageRequest(url) {
                $0.targetSize = .pixels(width: 10, height: 10)
                $0.cache.encoding = options
            }.key
        }
        #expect(Set(keys).count == all.count)
    }
}
