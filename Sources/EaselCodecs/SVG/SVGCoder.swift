#if SVG
import CEaselSVG
public import EaselCore
public import EaselFoundation

/// A coder that draws SVG through librsvg at the requested size, so every size is sharp.
///
/// Scripts do not run. Nothing is loaded from the network or from files: a document can refer only to its own `data:`
/// URLs, and their images share the pixel limit of one image. A document without a size has that of its viewBox, or
/// else of its content.
///
/// A short document can require hours of drawing, and librsvg cannot be interrupted. It draws on a separate thread,
/// which is abandoned if the load is cancelled or exceeds `ImageLimits.decodingTime`.
public struct SVGCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `svg` format.
    public var format: ImageFormat { .svg }

    /// Reads the whole document, within the default limit for decoding time.
    ///
    /// - Throws: `ImageError.badData` if the data is not an SVG, is truncated, or has no area; `.tooLarge` for embedded
    ///   images beyond the default limits, and after the time limit.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try DecodeOptions().runAbandonably(.svg, byteCount: Self.byteCount(data)) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try SVGDocument(bytes, pixelLimit: options.limits.pixels).header
            }
        }
    }

    /// Draws the image.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.runAbandonably(.svg, byteCount: Self.byteCount(data)) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                let document = try SVGDocument(bytes, pixelLimit: options.limits.pixels)
                let header = document.header
                try options.check(header)
                let pixels = try document.pixels(of: options.storedTargetSize(for: header))
                return try DecodedImage(stored: pixels, header: header, options: options)
            }
        }
    }

    /// Returns an estimate of the memory, since the image size is known only after parsing.
    private static func byteCount(_ data: Data) -> Int { (16 << 20) + data.count * 8 }
}

/// A document parsed by librsvg.
struct SVGDocument: ~Copyable {
    private let document: OpaquePointer
    private let area: easel_svg_area
    /// The size of the document in whole pixels.
    let size: PixelSize

    /// - Parameter pixelLimit: the maximum number of pixels of all embedded images together.
    /// - Throws: `ImageError.badData` if the data is not an SVG or has no area; `.tooLarge` for embedded images beyond
    ///   the limit.
    init(_ bytes: UnsafeBufferPointer<UInt8>, pixelLimit: Int) throws(ImageError) {
        guard ImageFormat.svg.matches(UnsafeRawBufferPointer(bytes)) else { throw .badData("Not an SVG file.") }
        var images = SVGEmbeddedImages(limit: pixelLimit)
        try images.check(bytes)
        guard let document = easel_svg_open(bytes.baseAddress, bytes.count) else {
            throw SVGEmbeddedImages.invalidDocument
        }
        let area = easel_svg_natural_area(document)
        let size = PixelSize(Self.pixels(area.width), Self.pixels(area.height))
        guard size.width > 0, size.height > 0 else {
            easel_svg_close(document)
            throw .badData("The SVG size of \(area.width) x \(area.height) is invalid.")
        }
        self.document = document
        self.area = area
        self.size = size
    }

    deinit { easel_svg_close(document) }

    var header: ImageHeader { ImageHeader(format: .svg, storedSize: size, hasAlpha: true) }

    /// Returns the image drawn at a size.
    ///
    /// - Throws: `ImageError.badData` if drawing fails, `.tooLarge` for a side beyond Cairo's limit.
    func pixels(of target: PixelSize) throws(ImageError) -> PixelBuffer {
        guard max(target.width, target.height) <= Self.longestSide else {
            throw .tooLarge(.pixels(target, limit: Self.longestSide * Self.longestSide))
        }
        return try PixelBuffer(size: target, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            let isDrawn = easel_svg_draw(
                document, area, Double(target.width) / Double(size.width),
                Double(target.height) / Double(size.height), start, Int32(target.width), Int32(target.height),
                Int32(bytesPerRow))
            guard isDrawn else { throw .badData("The SVG could not be drawn.") }
        }
    }

    private static let longestSide = 32_767

    /// Rounds a length up, so that nothing is clipped. Returns 0 for NaN and for values far beyond all limits.
    static func pixels(_ length: Double) -> Int {
        guard length.isFinite, length > 0, length < 1e9 else { return 0 }
        // Lengths converted from millimeters can be slightly above a whole number.
        return Int((length - 0.001).rounded(.up))
    }
}

/// A check of the images in `data:` URLs before librsvg decodes them.
///
/// A few bytes can announce gigabytes of pixels, and the decoders of librsvg have no limit. All images together share
/// the pixel limit of one image. Embedded documents are checked recursively.
struct SVGEmbeddedImages {
    private let limit: Int
    private var remainingPixels: Int
    private var depth = 0
    /// The text of the current style sheet.
    private var style: [UInt8] = []
    private var error: ImageError?

    /// Creates a check with at most `limit` pixels in total.
    init(limit: Int) {
        self.limit = limit
        remainingPixels = limit
    }

    /// Parses the document and checks each image.
    ///
    /// - Throws: `ImageError.tooLarge` with the size of the first image beyond the limit; `.badData` for a document
    ///   that is not well formed, and for embedded data that is not an image.
    /// - Complexity: O(n) in the length of the document after entity expansion.
    mutating func check(_ document: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        let isWellFormed = withUnsafeMutablePointer(to: &self) { images in
            easel_svg_visit_references(
                document.baseAddress, document.count,
                { context, kind, text, count in
                    guard let context else { return false }
                    let images = context.assumingMemoryBound(to: SVGEmbeddedImages.self)
                    return images.pointee.allow(UnsafeBufferPointer(start: text, count: count), kind)
                }, images)
        }
        if let error { throw error }
        guard isWellFormed else { throw Self.invalidDocument }
    }

    private mutating func allow(_ text: UnsafeBufferPointer<UInt8>, _ kind: easel_svg_text) -> Bool {
        do throws(ImageError) {
            if kind == EASEL_SVG_REFERENCE {
                if let data = try Self.data(text), !data.isEmpty { try checkImage(data) }
            } else if text.isEmpty {
                let styleSheet = SVGStyleText(style)
                style = []
                guard styleSheet.hasOnlySafeReferences else {
                    throw .badData("A style of the SVG contains data that is not a font.")
                }
            } else {
                style += text
            }
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private mutating func checkImage(_ data: Data) throws(ImageError) {
        if data.withUnsafeBytes(ImageFormat.svg.matches) {
            guard depth < Self.maxDepth else {
                throw .badData("SVG documents are nested more than \(Self.maxDepth) levels deep.")
            }
            // An embedded document can be inside a style sheet.
            let outer = style
            (style, depth) = ([], depth + 1)
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try check(bytes) }
            (style, depth) = (outer, depth - 1)
            return
        }
        guard let decoder = Self.decoders.first(where: { data.withUnsafeBytes($0.format.matches) }) else {
            throw .badData("The SVG contains data that is not a PNG, JPEG, GIF, WebP, BMP or SVG image.")
        }
        let size = try decoder.header(of: data).storedSize
        guard let area = size.area, area <= remainingPixels else { throw .tooLarge(.pixels(size, limit: limit)) }
        remainingPixels -= area
    }

    static let invalidDocument = ImageError.badData("The SVG is damaged, truncated, or exceeds a limit of the parser.")
    private static let maxDepth = 3
    private static let decoders: [any ImageDecoding] = [
        PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder(), BMPCoder(),
    ]

    /// Returns the content of a `data:` URL, parsed according to the URL Standard; `nil` for any other reference.
    ///
    /// - Throws: `ImageError.badData` for an invalid one, since librsvg may still accept it.
    static func data(_ reference: some Collection<UInt8>) throws(ImageError) -> Data? {
        // A URL excludes leading control characters, all line ends and tabs, and the fragment.
        let url = reference.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "#") }
            .filter { ![0x09, 0x0A, 0x0D].contains($0) }
        let scheme = "data:"
        guard String(decoding: url.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else { return nil }
        do throws(ImageError) {
            return try DataURL.content(of: String(decoding: url, as: UTF8.self), keepsStrayPercents: true)
        } catch {
            throw .badData("The SVG contains an invalid data: URL.")
        }
    }
}

/// A property or a style sheet of an SVG document.
///
/// librsvg loads referenced documents and style sheets, even from `data:` URLs. Only fonts, which it ignores, are
/// allowed.
struct SVGStyleText {
    /// The text without escapes, line ends and tabs, which can hide URLs.
    private let text: [UInt8]
    /// The text in lower case, with the same byte offsets.
    private let folded: [UInt8]

    init(_ text: [UInt8]) {
        self.text = Self.unescape(text)
        folded = self.text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether the text refers to no data except fonts.
    var hasOnlySafeReferences: Bool {
        guard folded.contains(Self.scheme) else { return true }
        return !folded.contains(Self.importRule) && containsOnlyFonts
    }

    private var containsOnlyFonts: Bool {
        var offset = 0
        while let function = folded[offset...].firstRange(of: Self.function) {
            let url = text[function.upperBound...].drop { $0 <= 0x20 || Self.quotes.contains($0) }
            offset = url.startIndex
            guard folded[offset...].starts(with: Self.scheme) else { continue }
            let font = url.prefix { $0 != UInt8(ascii: ")") && !Self.quotes.contains($0) }
            guard let data = try? SVGEmbeddedImages.data(font), Self.fonts.contains(where: { data.starts(with: $0) })
            else { return false }
            offset = font.endIndex
        }
        return true
    }

    private static let scheme = Array("data:".utf8)
    private static let importRule = Array("@import".utf8)
    private static let function = Array("url(".utf8)
    private static let quotes = Array("\"'".utf8)
    /// The signatures of WOFF, WOFF 2, OpenType and TrueType.
    private static let fonts: [[UInt8]] = [Array("wOFF".utf8), Array("wOF2".utf8), Array("OTTO".utf8), [0, 1, 0, 0]]

    /// Returns the text with CSS escapes resolved. Characters beyond ASCII become question marks.
    private static func unescape(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var remaining = text.filter { ![0x09, 0x0A, 0x0D].contains($0) }[...]
        while let byte = remaining.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let digits = remaining.prefix(6).prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard !digits.isEmpty else {
                if let escaped = remaining.popFirst() { result.append(escaped) }
                continue
            }
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            result.append(value < 0x80 ? UInt8(value) : UInt8(ascii: "?"))
            remaining = remaining.dropFirst(digits.count)
            if remaining.first == UInt8(ascii: " ") { remaining = remaining.dropFirst() }
        }
        return result
    }
}
#endif
