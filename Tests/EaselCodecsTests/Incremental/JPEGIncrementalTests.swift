import EaselCodecs
import EaselCore
import Foundation
import Testing

@Suite("Incremental: JPEG")
struct JPEGIncrementalTests {
    private let coder = JPEGCoder()

    @Test("a baseline file shows the rows that have arrived, and nothing below them")
    func rows() throws {
        let file = try Files.jpeg(Images.gradient(40, 64))
        let whole = try coder.decode(file, DecodeOptions()).pixels
        let half = try #require(try coder.previews(of: file, endingAt: [file.count * 3 / 4]).last).image.pixels
        let rows = half.visibleRows
        #expect((8..<64).contains(rows))
        #expect(!half.isOpaque)
        #expect((0..<rows).allSatisfy { y in (0..<40).allSatisfy { half[$0, y] == whole[$0, y] } })
        #expect((rows..<64).allSatisfy { y in (0..<40).allSatisfy { half[$0, y].alpha == 0 } })
    }

    @Test("a progressive file is shown whole after its first scan, and improves with each further one")
    func scans() throws {
        let file = Files.progressiveJPEG
        let whole = try coder.decode(file, DecodeOptions()).pixels
        let opaque = try coder.previews(of: file, endingAt: 1...file.count).map(\.image.pixels).filter(\.isOpaque)
        #expect(opaque.count == 10)
        let differences = opaque.map { difference($0, whole) }
        #expect(zip(differences, differences.dropFirst()).allSatisfy { $0 >= $1 - 0.5 })
        #expect(differences.last == 0)
    }

    @Test("only the last preview at full size is sufficient")
    func sufficientAtFullSize() throws {
        let previews = try coder.previews(of: Files.progressiveJPEG, endingAt: 1...Files.progressiveJPEG.count)
        #expect(previews.dropLast().allSatisfy { !$0.isSufficient })
        let baseline = try Files.jpeg(Images.gradient(40, 64))
        #expect(try coder.previews(of: baseline, endingAt: 1...baseline.count).last?.isSufficient == true)
    }

    @Test("for an eighth of the size the first scan suffices and results in the same image as the whole file")
    func sufficientMeans() throws {
        let options = DecodeOptions(targetSize: .pixels(width: 6, height: 6))
        let file = Files.progressiveJPEG
        let whole = try coder.decode(file, options).pixels
        let decoder = coder.makeIncrementalDecoder(options)
        for offset in file.indices {
            try decoder.append(file[offset...offset])
            guard let preview = try decoder.imagePreview(), preview.isSufficient else { continue }
            #expect(offset < file.count / 2)
            #expect(preview.image.pixels.pixels == whole.pixels)
            return
        }
        Issue.record("No preview was sufficient.")
    }

    @Test("for a half or a quarter of the size all but the last bits suffice", arguments: [7, 16, 20])
    func sufficientBits(_ side: Int) throws {
        let file = Files.progressiveJPEG
        let options = DecodeOptions(targetSize: .pixels(width: side, height: side))
        let whole = try coder.decode(file, options).pixels
        let previews = try coder.previews(of: file, endingAt: 1...file.count, options)
        let first = try #require(previews.first { $0.isSufficient }).image.pixels
        #expect(previews.contains { !$0.isSufficient })
        #expect(first.structuralSimilarity(to: whole) >= 0.99)
    }

    @Test("a preview is upright")
    func orientation() throws {
        let file = Files.jpeg(Files.progressiveJPEG, withEXIF: Files.exif(orientation: 6))
        let previews = try coder.previews(of: file, endingAt: [file.count / 2, file.count])
        #expect(previews.map(\.image.size) == [PixelSize(40, 48), PixelSize(40, 48)])
        #expect(try previews.last?.image.pixels.pixels == coder.decode(file, DecodeOptions()).pixels.pixels)
    }

    @Test("damage is an error when it arrives, unless partial images are allowed")
    func damage() throws {
        var file = try Files.jpeg(Images.noise(64, 64, seed: 1))
        file.replaceSubrange((file.count / 2)..<(file.count / 2 + 2), with: [0xFF, 0xD3])
        let decoder = coder.makeIncrementalDecoder(DecodeOptions())
        try decoder.append(file.prefix(file.count / 2))
        let shown = try decoder.preview()
        #expect(shown != nil)
        let error = #expect(throws: ImageError.self) { try decoder.append(file.dropFirst(file.count / 2)) }
        #expect(error?.code == .badData)
        #expect(try coder.finalPreview(of: file, pieces: 10, DecodeOptions(allowsPartial: true)) != nil)
    }

    @Test("a file of endless scans is refused")
    func scanBomb() throws {
        let bomb = try Self.repeatingLastScan(of: Files.progressiveJPEG, 300)
        let decoder = coder.makeIncrementalDecoder(DecodeOptions())
        #expect(throws: ImageError.badData("The JPEG is damaged: There are too many scans.")) {
            try decoder.append(bomb)
        }
    }

    /// Returns the file with its last scan repeated `count` times.
    static func repeatingLastScan(of file: Data, _ count: Int) throws -> Data {
        let start = try #require(file.indices.last { file[$0] == 0xFF && $0 + 1 < file.count && file[$0 + 1] == 0xDA })
        let scan = file[start..<(file.count - 2)]
        return file.prefix(start) + Data((0..<count).flatMap { _ in scan }) + [0xFF, 0xD9]
    }

    private func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
        let sum = zip(a.pixels, b.pixels).reduce(0) { $0 + abs(Int($1.0.green) - Int($1.1.green)) }
        return Double(sum) / Double(a.width * a.height)
    }
}
