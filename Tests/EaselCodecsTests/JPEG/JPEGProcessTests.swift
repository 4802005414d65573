import EaselCodecs
import EaselCore
import Foundation
import TestSupport
import Testing

/// JPEG has processes that few files use. Those that the system's libjpeg supports are decoded; others throw one clear
/// error.
@Suite("JPEG: lossless, arithmetic coding and 12 bits")
struct JPEGProcessTests {
    private let coder = JPEGCoder()
    private static let divisors = [1, 2, 4, 8, 20]

    /// Whether the library reads lossless files. Version 3, which has functions for more bits, does.
    private static let readsLossless = dlsym(dlopen(nil, RTLD_NOW), "jpeg12_read_scanlines") != nil

    private func options(_ size: PixelSize, _ divisor: Int) -> DecodeOptions {
        DecodeOptions(targetSize: .pixels(width: size.width / divisor, height: size.height / divisor))
    }

    private func expectUnsupported(_ file: Data, _ options: DecodeOptions) {
        let errors = [
            #expect(throws: ImageError.self) { try coder.decode(file, options) },
            #expect(throws: ImageError.self) { try coder.makeIncrementalDecoder(options).append(file) },
        ]
        #expect(errors.map { $0?.code } == [.unsupported, .unsupported])
    }

    @Test("a lossless file has the encoded pixels at every size", arguments: divisors, [false, true])
    func lossless(_ divisor: Int, hasSeveralScans: Bool) throws {
        let jpeg = LosslessJPEG(hasSeveralScans: hasSeveralScans)
        let (file, written) = (jpeg.data(), try jpeg.pixels())
        let options = options(written.size, divisor)
        guard Self.readsLossless else { return expectUnsupported(file, options) }
        let expected = try coder.decode(Files.jpeg(written, quality: 1), options).pixels
        let decoded = try coder.decode(file, options)
        #expect(!decoded.metadata.isPartial)
        if divisor == 1 {
            #expect(decoded.pixels.hasSamePixels(as: written))
        } else {
            #expect(decoded.size == expected.size)
            #expect(decoded.pixels.structuralSimilarity(to: expected) > 0.95)
        }
        let arrived = try coder.finalPreview(of: file, pieces: 2000, options)
        #expect(arrived?.image.pixels.hasSamePixels(as: decoded.pixels) == true)
    }

    @Test("a truncated or damaged lossless file is an image or an error", arguments: [false, true])
    func losslessDamage(hasSeveralScans: Bool) throws {
        let file = LosslessJPEG(hasSeveralScans: hasSeveralScans).data()
        let damaged = DamagedFiles.cut(file, places: 20) + DamagedFiles.changed(file, count: 100)
        DamagedFiles.expectImageOrError(coder, for: damaged)
        for (round, file) in damaged.enumerated() {
            let decoder = coder.makeIncrementalDecoder(DecodeOptions(allowsPartial: round % 2 == 0))
            do {
                for start in stride(from: 0, to: file.count, by: 9000) {
                    try decoder.append(file.dropFirst(start).prefix(9000))
                    _ = try decoder.preview()
                }
            } catch {
                #expect([.badData, .tooLarge, .unsupported].contains(error.code), "\(round): \(error)")
            }
        }
    }

    @Test(
        "arithmetic coding results in the same pixels as Huffman codes",
        arguments: [Files.arithmeticJPEG, Files.progressiveArithmeticJPEG], [1, 2, 4])
    func arithmetic(_ file: Data, _ divisor: Int) throws {
        let options = options(PixelSize(48, 40), divisor)
        let huffman = try coder.decode(Files.progressiveJPEG, options).pixels
        let decoded = try coder.decode(file, options)
        #expect(decoded.pixels.hasSamePixels(as: huffman))
        #expect(!decoded.metadata.isPartial)
        // It cannot be decoded in pieces: the only preview is the complete image.
        let previews = try coder.previews(of: file, endingAt: [100, file.count / 2, file.count], options)
        #expect(previews.count == 1 && previews.last?.isSufficient == true)
        #expect(previews.last?.image.pixels.hasSamePixels(as: decoded.pixels) == true)
    }

    @Test(
        "arithmetic coding results in the same pixels as Huffman codes at an eighth, from all scans and from the first")
    func arithmeticEighth() throws {
        let huffman = JPEGShim.whole(Files.progressiveJPEG, denominator: 8)
        #expect(JPEGShim.whole(Files.arithmeticJPEG, denominator: 8) == huffman)
        let options = options(PixelSize(48, 40), 8)
        let first = try coder.decode(Files.progressiveJPEG, options).pixels
        #expect(try coder.decode(Files.progressiveArithmeticJPEG, options).pixels.hasSamePixels(as: first))
    }

    @Test("samples of 12 bits are unsupported", arguments: divisors)
    func twelveBits(_ divisor: Int) {
        let size = PixelSize(HandmadeJPEG.side, HandmadeJPEG.side)
        expectUnsupported(HandmadeJPEG(precision: 12, difference: { $0 % 9 - 4 }).data(), options(size, divisor))
        expectUnsupported(LosslessJPEG(precision: 12).data(), options(size, divisor))
        let error = #expect(throws: ImageError.self) { try coder.header(of: HandmadeJPEG(precision: 12).data()) }
        #expect(error?.code == .unsupported)
    }
}
