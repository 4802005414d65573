import EaselCodecs
import EaselCore
import Testing

/// Real files from other projects' test sets. They are not part of the package; without them the tests are skipped.
@Suite("Corpora: files that decode", .enabled(if: Corpora.arePresent))
struct CorporaDecodeTests {
    private let coders = CoderRegistry.standard()

    @Test("the expectations can be read")
    func answers() throws {
        #expect(try Corpora.readExpectations().count > 200)
    }

    @Test("the header matches the file", arguments: Corpora.files(.decode))
    func header(_ file: Expectation) throws {
        let data = try file.data()
        let header = try coders.decoder(for: data).header(of: data)
        let answer = file.answer
        // Files whose names have the wrong format are filed under "misc".
        if answer.format != "misc" { #expect(header.format.name == answer.format) }
        #expect(header.size == PixelSize(answer.width ?? 0, answer.height ?? 0))
        #expect(header.frameCount == answer.frames)
        #expect(header.orientation.rawValue == answer.headerOrientation)
        // A file may have an alpha channel that is opaque everywhere; the expectation describes the pixels.
        #expect(header.hasAlpha || answer.has_alpha == false)
        #expect(header.profileName == answer.icc?.description)
    }

    @Test("an animation's loop count and durations are normalized (X154, X155)", arguments: Corpora.files(.decode))
    func timing(_ file: Expectation) throws {
        let data = try file.data()
        let header = try coders.decoder(for: data).header(of: data)
        guard header.frameCount > 1 else {
            #expect(header.frameDurations.count <= 1)
            return
        }
        // A GIF without the looping extension plays once.
        if let loop = file.answer.loop ?? (file.answer.format == "gif" ? 1 : nil) { #expect(header.loopCount == loop) }
        #expect(header.frameDurations.count == header.frameCount)
        if let stored = file.answer.durations_ms {
            #expect(header.frameDurations == stored.map { .milliseconds($0 < 11 ? 100 : $0) })
        }
    }

    /// Files with wrong expectations, and the difference. The decoder of the first expectation treated premultiplied
    /// colors as straight; that of the second converted linear light after reducing it to 8 bits.
    private static let differences = [
        "jxl/jxlconf-conf_alpha_premultiplied.jxl": 63.0, "jxl/jxlconf-conf_grayscale.jxl": 7.0,
    ]

    @Test(
        "the pixels equal those of other decoders, without conversion and in sRGB",
        arguments: Corpora.files(.decode))
    func pixels(_ file: Expectation) throws {
        let reference = try #require(file.answer.reference)
        let images = try compare(file, with: reference, in: .unconverted)
        // This expectation comes from decoders that clip highlights; tone mapping has separate tests.
        if file.path == "avif/libavif-colors_hdr_rec2020.avif" { return }
        try compare(file, with: file.answer.srgb ?? reference, in: .sRGB, known: file.answer.srgb == nil ? images : [:])
    }

    @Test("an optional file that decodes has the expected pixels", arguments: Corpora.files(.optional))
    func optional(_ file: Expectation) throws {
        // librsvg does not support the radius of the focal point, which only SVG 2 has.
        if file.path == "svg/resvg-paint-servers-radialGradient-fr_0.5.svg" { return }
        let data = try file.data()
        guard (try? coders.decoder(for: data).decode(data, DecodeOptions())) != nil else { return }
        try compare(file, with: try #require(file.answer.reference), in: .unconverted)
    }

    /// Compares frames with a reading, except frames that equal a `known` correct image. Returns the frames.
    @discardableResult
    private func compare(
        _ file: Expectation, with reading: Expectation.Reading, in space: ColorSpace, known: [Int: PixelBuffer] = [:]
    ) throws -> [Int: PixelBuffer] {
        let data = try file.data()
        let decoder = try coders.decoder(for: data)
        let tolerance = try #require(file.answer.tolerance)
        var images: [Int: PixelBuffer] = [:]
        for frame in reading.frames {
            let image = try decoder.decode(data, DecodeOptions(frame: frame.index, colorSpace: space))
            images[frame.index] = image.pixels
            #expect(image.size == PixelSize(file.answer.width ?? 0, file.answer.height ?? 0))
            #expect(image.metadata.frameIndex == frame.index)
            #expect(image.metadata.colorSpace == space)
            if file.answer.has_alpha == false { #expect(image.pixels.isOpaque) }
            if let known = known[frame.index], image.pixels.hasSamePixels(as: known) { continue }
            let summary = PixelSummary(image.pixels)
            let readings =
                [frame] + (file.answer.alternatives ?? []).flatMap(\.frames).filter { $0.index == frame.index }
            let differences = readings.compactMap { summary.difference(from: $0.grid) }
            let least = try #require(differences.min())
            #expect(least <= Self.differences[file.path] ?? tolerance.grid, "frame \(frame.index)")
            if tolerance.exact_sha256, let hash = summary.hash() {
                #expect(readings.contains { $0.sha256_a0 == hash }, "frame \(frame.index)")
            }
        }
        return images
    }
}
