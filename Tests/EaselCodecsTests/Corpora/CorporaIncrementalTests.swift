import EaselCodecs
import EaselCore
import Foundation
import Testing

/// Real files from other projects' test sets. They are not part of the package; without them the tests are skipped.
@Suite("Corpora: incremental decoding", .enabled(if: Corpora.arePresent))
struct CorporaIncrementalTests {
    /// The formats that are shown while they arrive.
    private static let shownFormats: Set = ["jpeg", "png", "apng", "gif", "webp", "jxl"]

    private func decoder(for data: Data) throws -> any IncrementalDecoding {
        try #require(CoderRegistry.standard().decoder(for: data) as? any IncrementalDecoding)
    }

    @Test(
        "a file decoded in pieces results in the same image as the whole file",
        arguments: Corpora.files(.decode).filter { shownFormats.contains($0.answer.format) })
    func pieces(_ file: Expectation) throws {
        // Some of these have a default image for viewers without animation that is not one of their frames.
        guard file.answer.format != "apng" else { return }
        let data = try file.data()
        let decoder = try decoder(for: data)
        let preview = try #require(try decoder.finalPreview(of: data, pieces: max(64, data.count / 50)))
        let complete = try decoder.decode(data, DecodeOptions())
        #expect(preview.image.pixels.hasSamePixels(as: complete.pixels))
    }

    @Test("a sufficient preview of a progressive JPEG looks like the whole image", arguments: [12, 8, 5, 3])
    func sufficient(_ divisor: Int) throws {
        let file = try #require(Corpora.files(.decode).first { $0.path == "jpeg/wuffs-peacock.progressive.jpeg" })
        let data = try file.data()
        let full = try JPEGCoder().decode(data, DecodeOptions()).pixels
        let target = TargetSize.pixels(width: full.width / divisor, height: full.height / divisor)
        let previews = try JPEGCoder().previews(
            of: data, endingAt: stride(from: 64, through: data.count, by: 64), DecodeOptions(targetSize: target))
        let preview = try #require(previews.first { $0.isSufficient }).image.pixels
        let least = divisor >= 8 ? 0.97 : 0.99
        #expect(preview.structuralSimilarity(to: try full.resized(to: preview.size)) >= least)
    }

    @Test(
        "damaged files and bombs throw or have a partial preview",
        arguments: Corpora.files(.fail, .either, .optional, .limit).filter { shownFormats.contains($0.answer.format) })
    func damage(_ file: Expectation) throws {
        let data = try file.data()
        guard let decoder = try? decoder(for: data) else { return }
        do {
            let preview = try decoder.finalPreview(of: data, pieces: max(64, data.count / 50))
            #expect(preview?.image.metadata.isPartial ?? true)
        } catch {
            #expect([.badData, .tooLarge, .unsupported].contains(error.code))
        }
    }
}
