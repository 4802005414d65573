import EaselCodecs
import EaselCore
import Foundation
import Synchronization
import Testing

@Suite("Incremental: contract of decoders (X150)")
struct IncrementalContractTests {
    struct Sample: CustomTestStringConvertible {
        var name: String
        var decoder: any IncrementalDecoding
        var file: Data
        var testDescription: String { name }
    }

    static func samples() throws -> [Sample] {
        let image = try Images.gradient(40, 80)
        return [
            Sample(name: "JPEG", decoder: JPEGCoder(), file: try Files.jpeg(image, quality: 0.5)),
            Sample(name: "progressive JPEG", decoder: JPEGCoder(), file: Files.progressiveJPEG),
            Sample(name: "PNG", decoder: PNGCoder(), file: try Files.png(Images.translucent(24, 20))),
            Sample(name: "interlaced PNG", decoder: PNGCoder(), file: try Files.interlacedPNG(19, 13)),
            Sample(name: "animated PNG", decoder: PNGCoder(), file: try Files.animatedPNG(16, 12)),
            Sample(name: "WebP", decoder: WebPCoder(), file: try Files.webp(Images.gradient(40, 80), quality: 0.8)),
            Sample(name: "WebP with alpha", decoder: WebPCoder(), file: try Files.webp(Images.translucent(32, 40))),
            Sample(name: "GIF", decoder: GIFCoder(), file: Files.gif(24, 30, [Files.GIFFrame(width: 24, height: 30)])),
            Sample(name: "interlaced GIF", decoder: GIFCoder(), file: Files.gif(20, 28, interlacedFrames)),
        ]
    }

    /// A frame that extends beyond the canvas, and a second one that is not shown.
    private static let interlacedFrames = [
        Files.GIFFrame(x: 2, y: 4, width: 20, height: 24, transparentIndex: 5, isInterlaced: true),
        Files.GIFFrame(width: 4, height: 4),
    ]

    @Test("a file decoded byte by byte results in the same image as the whole file", arguments: try samples())
    func bytes(_ sample: Sample) throws {
        let complete = try sample.decoder.decode(sample.file, DecodeOptions())
        let previews = try sample.decoder.previews(of: sample.file, endingAt: 1...sample.file.count)
        #expect(previews.count > 2)
        #expect(previews.last?.image.pixels.hasSamePixels(as: complete.pixels) == true)
    }

    @Test("a file decoded in two pieces results in the same image, wherever it is split", arguments: try samples())
    func everySplit(_ sample: Sample) throws {
        let complete = try sample.decoder.decode(sample.file, DecodeOptions()).pixels
        for position in 0...sample.file.count {
            let previews = try sample.decoder.previews(of: sample.file, endingAt: [position, sample.file.count])
            // Not `#expect` in each iteration, because thousands of them take longer than decoding.
            guard previews.last?.image.pixels.hasSamePixels(as: complete) != true else { continue }
            Issue.record("The image split at \(position) differs.")
        }
    }

    @Test("a target size results in the same image as for the whole file", arguments: try samples())
    func thumbnail(_ sample: Sample) throws {
        for side in [5, 10, 20] {
            let options = DecodeOptions(targetSize: .pixels(width: side, height: side))
            let complete = try sample.decoder.decode(sample.file, options)
            let previews = try sample.decoder.previews(of: sample.file, endingAt: 1...sample.file.count, options)
            #expect(previews.allSatisfy { $0.image.size == complete.size })
            #expect(previews.allSatisfy { $0.image.metadata.isThumbnail == complete.metadata.isThumbnail })
            #expect(previews.last?.image.pixels.hasSamePixels(as: complete.pixels) == true)
        }
    }

    @Test("there is no preview without new pixels", arguments: try samples())
    func nothingNew(_ sample: Sample) throws {
        let decoder = sample.decoder.makeIncrementalDecoder(DecodeOptions())
        #expect(try decoder.preview() == nil)
        try decoder.append(sample.file.prefix(8))
        #expect(try decoder.preview() == nil)
        try decoder.append(sample.file.dropFirst(8))
        #expect(try decoder.preview() != nil)
        #expect(try decoder.preview() == nil)
        try decoder.append(Data())
        #expect(try decoder.preview() == nil)
    }

    @Test("every preview is marked partial and shows at least the rows of the one before", arguments: try samples())
    func monotonic(_ sample: Sample) throws {
        var rows = 0
        for preview in try sample.decoder.previews(of: sample.file, endingAt: 1...sample.file.count) {
            #expect(preview.image.metadata.isPartial)
            let visible = preview.image.pixels.visibleRows
            #expect(visible >= rows)
            #expect(!preview.image.pixels.isOpaque || visible == preview.image.size.height)
            rows = visible
        }
    }

    @Test("bytes after the image are ignored", arguments: try samples())
    func trailingBytes(_ sample: Sample) throws {
        let decoder = sample.decoder.makeIncrementalDecoder(DecodeOptions())
        try decoder.append(sample.file)
        _ = try decoder.preview()
        try decoder.append(Data(repeating: 0x55, count: 100))
        #expect(try decoder.preview() == nil)
    }

    @Test("limits are checked as soon as the header has arrived", arguments: try samples())
    func limits(_ sample: Sample) {
        let decoder = sample.decoder.makeIncrementalDecoder(DecodeOptions(limits: ImageLimits(pixels: 100)))
        let error = #expect(throws: ImageError.self) {
            for byte in sample.file.indices { try decoder.append(sample.file[byte...byte]) }
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("the work is proportional to the file size, and no piece is read twice", arguments: try samples())
    func proportion(_ sample: Sample) throws {
        // Checked between steps of the work, not only between pieces.
        let checkCount = Mutex(0)
        let options = DecodeOptions(isCancelled: {
            checkCount.withLock { $0 += 1 }
            return false
        })
        _ = try sample.decoder.finalPreview(of: sample.file, pieces: sample.file.count, options)
        let wholeFileCount = checkCount.withLock { $0 }
        checkCount.withLock { $0 = 0 }
        let pieces = 100
        _ = try sample.decoder.finalPreview(of: sample.file, pieces: max(1, sample.file.count / pieces), options)
        #expect(checkCount.withLock { $0 } <= wholeFileCount + 3 * (pieces + 1) + 20)
    }

    @Test("a cancelled load stops the decoder", arguments: try samples())
    func cancellation(_ sample: Sample) {
        let decoder = sample.decoder.makeIncrementalDecoder(DecodeOptions(isCancelled: { true }))
        #expect(throws: ImageError.cancelled) { try decoder.append(sample.file) }
    }

    @Test("data of another format is refused", arguments: try samples())
    func otherFormat(_ sample: Sample) {
        let decoder = sample.decoder.makeIncrementalDecoder(DecodeOptions())
        let error = #expect(throws: ImageError.self) { try decoder.append(Data(repeating: 0x3C, count: 64)) }
        #expect(error?.code == .badData)
    }
}
