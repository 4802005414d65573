import EaselTesting
import EaselCodecs
import EaselCore
import Foundation
import Testing

/// Files cut short and with bytes changed. The originals are no part of the package, so the tests are skipped without
/// them.
@Suite("Corpora: hostile bytes", .enabled(if: Corpora.arePresent))
struct CorporaMutationTests {
    private let coders = CoderRegistry.standard()

    /// Small files, so that the whole takes seconds.
    static var files: [Expectation] {
        Corpora.files(.decode).filter { ($0.answer.width ?? 0) * ($0.answer.height ?? 0) <= 10_000 }
    }

    @Test("a file cut anywhere throws or gives an image of its own size", arguments: files)
    func truncation(_ file: Expectation) throws {
        let data = try file.data()
        for step in 0..<50 {
            expectAnswer(to: data.prefix(data.count * step / 50), allowsPartial: step % 2 == 0)
        }
    }

    @Test("changed bytes throw or give an image of its own size", arguments: files)
    func mutation(_ file: Expectation) throws {
        let data = try file.data()
        var random = SeededGenerator(seed: UInt64(data.count))
        // At least 500 a format, however few files it has.
        let fellows = Self.files.count { $0.answer.format == file.answer.format }
        for round in 0..<max(20, 500 / fellows) {
            var changed = data
            for _ in 0...(round % 4) {
                let place = Int.random(in: 0..<data.count, using: &random)
                changed[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            expectAnswer(to: changed, allowsPartial: round % 2 == 0)
        }
    }

    private func expectAnswer(to data: Data, allowsPartial: Bool) {
        // A changed header may ask for a lot that the limits allow: a test has less patience than a user.
        let options = DecodeOptions(limits: ImageLimits(pixels: 200_000), allowsPartial: allowsPartial)
        do {
            let decoder = try coders.decoder(for: data)
            let header = try decoder.header(of: data)
            let image = try decoder.decode(data, options)
            #expect(image.size == header.size)
            #expect(allowsPartial || !image.metadata.isPartial)
        } catch {
            // One that says of itself that it is of a kind which nobody reads is unsupported.
            #expect(["badData", "tooLarge", "unsupported"].contains(error.code))
        }
    }
}
