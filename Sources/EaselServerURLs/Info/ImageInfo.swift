#if Server
import EaselCodecs
package import EaselCore
package import EaselFoundation

/// A description of a source, as JSON with imgproxy's names.
package struct ImageInfo: Sendable, Encodable {
    private var size: Int?
    private var format: String?
    private var mediaType: String?
    private var width: Int?
    private var height: Int?
    private var orientation: Int?
    private var frames: Int?
    private var hasAlpha: Bool?
    private var bitDepth: Int?
    private var profile: String?
    private var exif: [String: String]?
    private var palette: [NamedColor]?
    private var average: NamedColor?
    private var dominantColors: [String: NamedColor]?
    private var blurHash: String?
    private var thumbHash: String?

    private enum CodingKeys: String, CodingKey {
        case size, format, width, height, orientation, frames, profile, exif, palette, average
        case mediaType = "mime_type"
        case hasAlpha = "alpha"
        case bitDepth = "bit_depth"
        case dominantColors = "dominant_colors"
        case blurHash = "blurhash"
        case thumbHash = "thumbhash"
    }

    /// Describes a source.
    ///
    /// - Parameters:
    ///   - byteCount: the number of bytes of the file.
    ///   - pixels: the image at any size, if the options need pixels. 256 pixels a side show all that is described.
    /// - Throws: `ImageError.cancelled`.
    package init(
        _ options: InfoOptions, header: ImageHeader, byteCount: Int, metadata: FileMetadata? = nil,
        pixels: PixelBuffer? = nil, isCancelled: () -> Bool = { false }
    ) throws(ImageError) {
        if options.includesSize { size = byteCount }
        if options.includesFormat { (format, mediaType) = (header.format.name, header.format.mediaType) }
        if options.includesDimensions {
            (width, height) = (header.size.width, header.size.height)
            (orientation, frames) = (header.orientation.rawValue, header.frameCount)
            (hasAlpha, bitDepth, profile) = (header.hasAlpha, header.bitDepth, header.profileName)
        }
        if options.includesEXIF, let block = metadata?.exif { exif = EXIFDescription.values(of: Array(block)) }
        if let pixels { try describe(pixels, options, isCancelled) }
    }

    private mutating func describe(
        _ pixels: PixelBuffer, _ options: InfoOptions, _ isCancelled: () -> Bool
    ) throws(ImageError) {
        if options.paletteCount > 0 {
            palette = GIFQuantizer.palette(of: pixels, count: options.paletteCount).map { NamedColor($0.color) }
        }
        if options.includesAverage {
            var color = pixels.averageColor
            // The colors are weighted by alpha. The alpha itself counts all pixels.
            if options.averageIgnoresTransparent { color.alpha = 255 }
            average = NamedColor(color)
        }
        if options.includesDominantColors {
            let colors = GIFQuantizer.palette(of: pixels, count: 32)
            dominantColors = DominantColors(colors).byName.mapValues { NamedColor($0, hasAlpha: false) }
        }
        if options.blurHashAcross > 0 {
            blurHash = try pixels.blurHash(
                across: options.blurHashAcross, down: options.blurHashDown, isCancelled: isCancelled)
        }
        if options.includesThumbHash {
            thumbHash = try pixels.thumbHash(isCancelled: isCancelled).base64EncodedString()
        }
    }

    /// The JSON, with its names in order.
    package var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and whole numbers can always be encoded.
        return (try? encoder.encode(self)) ?? Data("{}".utf8)
    }
}

/// A color as an object with its components.
private struct NamedColor: Sendable, Encodable {
    private let red: Int
    private let green: Int
    private let blue: Int
    private let alpha: Int?

    private enum CodingKeys: String, CodingKey {
        case red = "R"
        case green = "G"
        case blue = "B"
        case alpha = "A"
    }

    init(_ color: ImageColor, hasAlpha: Bool = true) {
        (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        alpha = hasAlpha ? Int(color.alpha) : nil
    }
}
#endif
