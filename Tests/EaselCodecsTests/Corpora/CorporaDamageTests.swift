import EaselCodecs
import EaselCore
import Testing

/// Damaged files and bombs. They are not part of the package; without them the tests are skipped.
@Suite("Corpora: files that do not decode", .enabled(if: Corpora.arePresent))
struct CorporaDamageTests {
    private let coders = CoderRegistry.standard()

    @Test("a file that must fail throws", arguments: Corpora.files(.fail))
    func failure(_ file: Expectation) throws {
        let data = try file.data()
        #expect(throws: ImageError.self) {
            try coders.decoder(for: data).decode(data, DecodeOptions())
        }
    }

    @Test("a damaged file throws or returns its image", arguments: Corpora.files(.either, .optional))
    func damage(_ file: Expectation) throws {
        let data = try file.data()
        for allowsPartial in [false, true] {
            do {
                let image = try coders.decoder(for: data).decode(data, DecodeOptions(allowsPartial: allowsPartial))
                #expect(image.size.area ?? 0 > 0)
                #expect(allowsPartial || !image.metadata.isPartial)
            } catch {
                #expect([.badData, .tooLarge, .unsupported].contains(error.code))
            }
        }
    }

    @Test("a bomb is refused or decoded within the limits", arguments: Corpora.files(.limit))
    func bomb(_ file: Expectation) throws {
        let data = try file.data()
        do {
            let image = try coders.decoder(for: data).decode(data, DecodeOptions())
            #expect(image.size.area ?? .max <= ImageLimits().pixels)
        } catch {
            #expect([.badData, .tooLarge].contains(error.code))
        }
    }
}
