import EaselTesting
import EaselCodecs
import EaselCore
import Foundation
import Testing

/// Truncated and changed files. The originals are not part of the package; without them the tests are skipped.
@Suite("Corpora: hostile bytes", .enabled(if: Corpora.arePresent))
struct CorporaMutationTests {
    private let coders = CoderRegistry.standard()

    /// Small files, so that the whole run takes seconds.
    static var files: [Expectation] {
        Corpora.files(.decode).filter { ($0.answer.width ?? 0) * ($0.answer.height ?? 0) <= 10_000 }
    }

    @Test("a truncated file throws or returns an image of its size", arguments: files)
    func truncation(_ file: Expectation) throws {
        let data = try file.data()
        for step in 0..<50 {
            expectImageOrError(to: data.prefix(data.count * step / 50), allowsPartial: step % 2 == 0)
        }
    }

    @Test("a changed file throws or returns an image of its size", arguments: files)
    func mutation(_ file: Expectation) throws {
        let data = try file.data()
        var random = SeededGenerator(seed: UInt64(data.count))
        // At least 500 a format, however few files it has.
        let sameFormatCount = Self.files.count { $0.answer.format == file.answer.format }
        for round in 0..<max(20, 500 / sameFormatCount) {
            var changed = data
            for _ in 0...(round % 4) {
                let offset = Int.random(in: 0..<data.count, using: &random)
                changed[offset] = UInt8.random(in: .min ... .max, using: &random)
            }
            expectImageOrError(to: changed, allowsPartial: round % 2 == 0)
        }
    }

    private func expectImageOrError(to data: Data, allowsPartial: Bool) {
        // A changed header may announce a large image within the default limits, which takes too long for a test.
        let options = DecodeOptions(limits: ImageLimits(pixels: 200_000), allowsPartial: allowsPartial)
        do {
            let decoder = try coders.decoder(for: data)
            let header = try decoder.header(of: data)
            let image = try decoder.decode(data, options)
            #expect(image.size == header.size)
            #expect(allowsPartial || !image.metadata.isPartial)
        } catch {
            // A file that declares an unreadable kind is unsupported.
            #expect([.badData, .tooLarge, .unsupported].contains(error.code))
        }
    }
}
