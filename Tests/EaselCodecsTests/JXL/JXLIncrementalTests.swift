#if JXL
import EaselCore
import Foundation
import TestSupport
import Testing

@testable import EaselCodecs

@Suite("JPEG XL: incremental decoding")
struct JXLIncrementalTests {
    private let coder = JXLCoder()
    private let file = JXLSamples.passes

    /// Returns an image of three parts, which follow each other after an eighth of the detail of all.
    private static func parts() throws -> Data {
        try Files.jxl(Images.noise(600, 40, seed: 6), quality: 0.7)
    }

    @Test("pieces of any size result in the same image as the whole file", arguments: [1, 7, 200, 10_000])
    func pieces(size: Int) throws {
        let previews = try previews(of: file, pieces: size)
        let last = try #require(previews.last)
        let complete = try coder.decode(file, DecodeOptions())
        #expect(last.image.pixels.pixels == complete.pixels.pixels)
        #expect(last.isSufficient)
        #expect(previews.allSatisfy { $0.image.metadata.isPartial && $0.image.size == complete.size })
    }

    @Test("each preview is closer to the image than the one before")
    func better() throws {
        let file = try Self.parts()
        let complete = try coder.decode(file, DecodeOptions()).pixels
        let previews = try previews(of: file, pieces: 300)
        #expect(previews.count >= 3)
        let differences = previews.map { meanDifference($0.image.pixels, complete) }
        #expect(differences == differences.sorted(by: >))
        #expect(differences.last == 0)
    }

    @Test("there is no preview without new data")
    func nothingNew() throws {
        let decoder = coder.makeIncrementalDecoder(DecodeOptions())
        #expect(try decoder.preview() == nil)
        try decoder.append(file.prefix(30))
        #expect(try decoder.preview() == nil)
        try decoder.append(file.dropFirst(30))
        #expect(try decoder.preview() != nil)
        #expect(try decoder.preview() == nil)
    }

    @Test("for an eighth of the size the first pass suffices")
    func sufficient() throws {
        let file = try Self.parts()
        let small = DecodeOptions(targetSize: .pixels(width: 75, height: 5))
        let first = try #require(try previews(of: file, pieces: 300, small).first)
        #expect(first.isSufficient)
        #expect(first.image.size == PixelSize(75, 5))
        let large = DecodeOptions(targetSize: .pixels(width: 400, height: 400))
        #expect(try previews(of: file, pieces: 300, large).map(\.isSufficient).dropLast().contains(true) == false)
    }

    @Test("the decoder reports sufficient data before anything is drawn, and long before the file is complete")
    func sufficientEarly() throws {
        let file = try Self.parts()
        let small = DecodeOptions(targetSize: .pixels(width: 75, height: 5))
        let decoder = coder.makeIncrementalDecoder(small)
        #expect(!decoder.isSufficient)
        var appended = 0
        while appended < file.count, !decoder.isSufficient {
            try decoder.append(file.dropFirst(appended).prefix(100))
            appended += 100
        }
        #expect(appended < file.count / 2)
        #expect(try decoder.imagePreview()?.isSufficient == true)
        let complete = coder.makeIncrementalDecoder(DecodeOptions())
        try complete.append(file.dropLast(100))
        #expect(!complete.isSufficient)
        try complete.append(file.suffix(100))
        #expect(complete.isSufficient)
    }

    @Test("one frame of an animation is shown as soon as it has arrived")
    func frame() throws {
        let decoder = coder.makeIncrementalDecoder(DecodeOptions(frame: 1))
        try decoder.append(JXLSamples.animation)
        let preview = try #require(try decoder.imagePreview())
        #expect(preview.image.pixels[0, 0] == Pixel(blue: 0, green: 255, red: 0, alpha: 255))
        #expect(preview.isSufficient)
    }

    @Test("a header over the limit, a file that is not JPEG XL and a cancelled load are errors")
    func refusals() throws {
        let limited = coder.makeIncrementalDecoder(DecodeOptions(limits: ImageLimits(pixels: 1000)))
        #expect(throws: ImageError.tooLarge(.pixels(PixelSize(272, 40), limit: 1000))) { try limited.append(file) }
        let other = coder.makeIncrementalDecoder(DecodeOptions())
        #expect(throws: ImageError.self) { try other.append(Data("no JPEG XL at all".utf8)) }
        let cancelled = coder.makeIncrementalDecoder(DecodeOptions(isCancelled: { true }))
        #expect(throws: ImageError.cancelled) { try cancelled.append(file) }
    }

    @Test("changed files return an image or an error")
    func damage() {
        for changed in DamagedFiles.changed(file, count: 100) {
            let decoder = coder.makeIncrementalDecoder(DecodeOptions(limits: ImageLimits(pixels: 200_000)))
            do {
                for start in stride(from: 0, to: changed.count, by: 100) {
                    try decoder.append(changed.dropFirst(start).prefix(100))
                    _ = try decoder.preview()
                }
            } catch {
                #expect([.badData, .tooLarge, .unsupported].contains(error.code))
            }
        }
    }

    @Test("consumed bytes are not kept")
    func arrivals() throws {
        var input = JXLInputBuffer()
        var appended: [Int] = []
        for _ in 0..<10 {
            input.append(Data(repeating: 1, count: 100))
            try input.withPendingBytes { bytes throws(ImageError) in
                appended.append(bytes.count)
                return 30
            }
        }
        #expect(appended == [100] + Array(repeating: 130, count: 9))
        #expect(input.consumedCount == 1000 - 30)
    }

    private func previews(
        of file: Data, pieces size: Int, _ options: DecodeOptions = DecodeOptions()
    ) throws -> [ImagePreview] {
        let decoder = coder.makeIncrementalDecoder(options)
        var previews: [ImagePreview] = []
        for start in stride(from: 0, to: file.count, by: size) {
            try decoder.append(file.dropFirst(start).prefix(size))
            if let preview = try decoder.imagePreview() { previews.append(preview) }
        }
        return previews
    }

    private func meanDifference(_ first: PixelBuffer, _ second: PixelBuffer) -> Double {
        let sum = zip(first.pixels, second.pixels).reduce(0) { sum, pair in
            sum + abs(Int(pair.0.red) - Int(pair.1.red)) + abs(Int(pair.0.green) - Int(pair.1.green))
                + abs(Int(pair.0.alpha) - Int(pair.1.alpha))
        }
        return Double(sum)
    }
}
#endif
