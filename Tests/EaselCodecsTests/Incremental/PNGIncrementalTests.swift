import EaselCore
import Foundation
import Testing

@testable import EaselCodecs

@Suite("Incremental: PNG")
struct PNGIncrementalTests {
    private let coder = PNGCoder()

    @Test("rows are shown as they arrive, and nothing below them")
    func rows() throws {
        let image = try Images.noise(32, 32, seed: 5)
        let file = try Files.png(image)
        let half = try #require(try coder.previews(of: file, endingAt: [file.count / 2]).last).image.pixels
        let rows = half.visibleRows
        #expect((12...16).contains(rows))
        #expect(half.pixels.prefix(rows * 32) == image.pixels.prefix(rows * 32))
    }

    @Test("an interlaced image is covered by its first pass, and each pass makes blocks smaller")
    func passes() throws {
        let file = try Files.interlacedPNG(16, 16)
        let complete = try coder.decode(file, DecodeOptions()).pixels
        let previews = try coder.previews(of: file, endingAt: 1...file.count).map(\.image.pixels)
        let covered = try #require(previews.first { $0.isOpaque })
        #expect((0..<16).allSatisfy { y in (0..<16).allSatisfy { covered[$0, y] == complete[$0 / 8 * 8, y / 8 * 8] } })
        let differences = previews.filter(\.isOpaque).map { $0.difference(from: complete) }
        #expect(zip(differences, differences.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(differences.last == 0)
    }

    @Test("a wrong checksum is an error when it arrives")
    func checksum() throws {
        var file = try Files.png(Images.noise(16, 16, seed: 5))
        // The last byte of the data's checksum, before the last chunk.
        file[file.count - 13] ^= 1
        let decoder = coder.makeIncrementalDecoder(DecodeOptions())
        try decoder.append(file.prefix(file.count - 13))
        #expect(try decoder.preview()?.pixels.isOpaque == true)
        #expect(throws: ImageError.badData("The image data is damaged or truncated.")) {
            try decoder.append(file.dropFirst(file.count - 13))
        }
    }

    @Test("more data than the image needs is an error, however much more")
    func bomb() throws {
        let small = try Files.png(Images.noise(4, 4, seed: 1))
        let large = try Files.png(
            Images.black(300, 300))
        // The header of the small image and the data of the large one.
        let file = small.prefix(33) + large.dropFirst(33)
        let error = #expect(throws: ImageError.self) { try coder.finalPreview(of: file, pieces: 100) }
        #expect(error?.code == .badData)
    }

    @Test("chunks are recognized wherever pieces end")
    func chunks() throws {
        let file = try Files.animatedPNG(8, 8)
        var complete: [UInt8] = []
        var head: [UInt8] = []
        for count in [1, 3, 7, file.count] {
            var feed = PNGChunkParser()
            var data: [UInt8] = []
            for start in stride(from: 0, to: file.count, by: count) {
                let piece = Array(file[start..<min(start + count, file.count)])
                var offset = 0
                while let event = try feed.next(in: piece.span, at: &offset) {
                    if case .imageData(let range) = event { data += piece[range] }
                }
            }
            #expect(feed.hasEnded)
            if complete.isEmpty { (complete, head) = (data, feed.head) }
            #expect(data == complete)
            #expect(feed.head == head)
        }
        #expect(complete.count == 8 * 33 + 11)
    }
}

extension PixelBuffer {
    /// Returns the number of different pixels.
    fileprivate func difference(from other: PixelBuffer) -> Int {
        zip(pixels, other.pixels).filter { $0 != $1 }.count
    }
}
