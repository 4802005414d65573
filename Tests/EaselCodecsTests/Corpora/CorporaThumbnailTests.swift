import EaselCodecs
import EaselCore
import Testing

/// The files are not part of the package; without them the tests are skipped.
@Suite("Corpora: decoding to a size", .enabled(if: Corpora.arePresent))
struct CorporaThumbnailTests {
    private let coders = CoderRegistry.standard()

    @Test("the result has exactly the target size and the same mean color", arguments: Corpora.files(.decode))
    func size(_ file: Expectation) throws {
        let data = try file.data()
        let decoder = try coders.decoder(for: data)
        let header = try decoder.header(of: data)
        let target = TargetSize.pixels(width: 24, height: 24)
        let image = try decoder.decode(data, DecodeOptions(targetSize: target))
        #expect(image.size == target.size(for: header.size))
        #expect(image.metadata.isThumbnail == (image.size != header.size))
        // An icon's smaller images are drawn by hand, and thin lines of a drawing become thinner.
        if [.ico, .svg].contains(header.format) { return }
        // Every scaling method preserves the mean of the whole image.
        let full = try decoder.decode(data, DecodeOptions())
        let difference = zip(mean(image.pixels), mean(full.pixels)).map { abs($0 - $1) }.max() ?? 255
        #expect(difference < 6)
    }

    /// All files except icons (with smaller images drawn by hand), drawings (drawn at the target size) and the HEIC
    /// with a thumbnail.
    static var photographs: [Expectation] {
        Corpora.files(.decode).filter { file in
            let differs = ["ico", "svg"].contains(file.answer.format) || file.path == "heic/pillowheif-zPug_3.heic"
            return !differs && min(file.answer.width ?? 0, file.answer.height ?? 0) >= 48
        }
    }

    @Test("the result looks like the whole image reduced by a Lanczos filter", arguments: photographs)
    func similarity(_ file: Expectation) throws {
        let data = try file.data()
        let decoder = try coders.decoder(for: data)
        let full = try decoder.decode(data, DecodeOptions()).pixels
        for divisor in [2, 3, 5, 8, 12] {
            let target = TargetSize.pixels(width: full.width / divisor, height: full.height / divisor)
            let image = try decoder.decode(data, DecodeOptions(targetSize: target)).pixels
            guard min(image.width, image.height) >= 8 else { continue }
            // At an eighth or less only the first scan of a progressive JPEG is read.
            let least = divisor >= 8 && file.answer.format == "jpeg" ? 0.97 : 0.99
            let similarity = image.structuralSimilarity(to: try full.resized(to: image.size))
            #expect(similarity >= least, "scaled by 1/\(divisor)")
        }
    }

    @Test("a progressive JPEG's first scan results in a softer version of the whole image")
    func firstScan() throws {
        let file = try #require(Corpora.files(.decode).first { $0.path == "jpeg/wuffs-peacock.progressive.jpeg" })
        let data = try file.data()
        let small = TargetSize.pixels(width: 12, height: 9, mode: .fill)
        let thumbnail = try JPEGCoder().decode(data, DecodeOptions(targetSize: small)).pixels
        let reduced = try JPEGCoder().decode(data, DecodeOptions()).pixels.resized(to: PixelSize(12, 9))
        #expect(thumbnail.size == reduced.size)
        // The chroma of this file is subsampled by two: in the first scan its values are means of 16 x 16.
        let differences = zip(thumbnail.pixels, reduced.pixels).map { abs(lightness($0) - lightness($1)) }
        #expect(differences.reduce(0, +) / Double(differences.count) < 6)
        let difference = zip(mean(thumbnail), mean(reduced)).map { abs($0 - $1) }.max() ?? 255
        #expect(difference < 3)
    }

    private func lightness(_ pixel: Pixel) -> Double {
        Double(pixel.red) * 0.299 + Double(pixel.green) * 0.587 + Double(pixel.blue) * 0.114
    }

    /// Returns the mean of each component over the whole image.
    private func mean(_ pixels: PixelBuffer) -> [Double] {
        var sums = ComponentSums()
        pixels.withUnsafeBytes { bytes in
            for y in 0..<pixels.height { sums.add(bytes, at: y * pixels.bytesPerRow, count: pixels.width) }
        }
        return [sums.blue, sums.green, sums.red, sums.alpha].map { Double($0) / Double(pixels.width * pixels.height) }
    }
}
