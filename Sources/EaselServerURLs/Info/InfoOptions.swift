#if Server
/// What a description of a source contains: one property for each option of `/info`.
package struct InfoOptions: Sendable, Hashable {
    package var includesSize = true
    package var includesFormat = true
    package var includesDimensions = true
    package var includesEXIF = true
    /// The most colors of the palette; 0 for none.
    package var paletteCount = 0
    package var includesAverage = false
    package var averageIgnoresTransparent = true
    package var includesDominantColors = false
    /// Components of the BlurHash across and down; 0 for none.
    package var blurHashAcross = 0
    package var blurHashDown = 0
    package var includesThumbHash = false
    package var page = 0
    package var cacheBuster = ""
    /// The last second at which the URL is valid, since 1970.
    package var expires: Int?

    package init() {}

    /// Whether pixels are needed, and not only the header.
    package var needsPixels: Bool {
        paletteCount > 0 || includesAverage || includesDominantColors || blurHashAcross > 0 || includesThumbHash
    }
}

extension InfoOptions {
    /// Applies the options at the beginning of a path, and returns the source after them.
    mutating func apply(_ parts: ArraySlice<ArraySlice<UInt8>>) throws(ImageURLError) -> SourceText {
        let (options, rest) = try ImageURL.split(parts)
        for arguments in options { try apply(arguments) }
        return try SourceText(rest)
    }

    private mutating func apply(_ arguments: OptionArguments) throws(ImageURLError) {
        switch arguments.name {
        case "blurhash", "bh":
            try arguments.check(count: 2...2)
            blurHashAcross = try arguments.integer(0, in: 0...9)
            blurHashDown = try arguments.integer(1, in: 0...9)
            guard (blurHashAcross == 0) == (blurHashDown == 0) else {
                throw arguments.invalid(1, "two numbers above 0")
            }
        case "average", "avg":
            try arguments.check(count: 1...2)
            includesAverage = try arguments.boolean()
            if arguments.has(1) { averageIgnoresTransparent = try arguments.boolean(1) }
        case "dominant_colors", "dc":
            try arguments.check(count: 1...2)
            includesDominantColors = try arguments.boolean()
            if arguments.has(1), try arguments.boolean(1) {
                throw .unsupportedOption(arguments.name, "does not support colors that the image has not")
            }
        default:
            try arguments.check(count: 1...1)
            try applySingle(arguments)
        }
    }

    private mutating func applySingle(_ arguments: OptionArguments) throws(ImageURLError) {
        switch arguments.name {
        case "size", "s": includesSize = try arguments.boolean()
        case "format", "f": includesFormat = try arguments.boolean()
        case "dimensions", "d": includesDimensions = try arguments.boolean()
        case "exif": includesEXIF = try arguments.boolean()
        case "palette", "p":
            paletteCount = try arguments.integer(in: 0...256)
            if paletteCount == 1 { throw arguments.invalid(0, "0, or a whole number from 2 to 256") }
        case "thumbhash", "th": includesThumbHash = try arguments.boolean()
        case "page", "pg": page = try arguments.integer(in: 0...1_000_000)
        case "cachebuster", "cb": cacheBuster = arguments.text(0)
        case "expires", "exp": expires = try arguments.expiry
        case "xmp", "iptc", "video_meta", "vm", "detect_objects", "do", "colorspace", "cs", "bands", "b",
            "sample_format",
            "sf", "pages_number", "pn", "alpha", "calc_hashsums", "chs", "perceptual_hash", "ph", "c2pa":
            guard try !arguments.boolean() else { throw .unsupportedOption(arguments.name) }
        case "crop", "c", "hashsum", "hs", "video_thumbnail_second", "vts", "video_thumbnail_keyframes", "vtk":
            throw .unsupportedOption(arguments.name)
        default: throw .unknownOption(arguments.name)
        }
    }
}
#endif
