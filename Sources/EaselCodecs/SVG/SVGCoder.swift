#if SVG
import CEaselSVG
public import EaselCore
public import EaselFoundation

/// Draws SVG through librsvg at the requested size, so every size is sharp.
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
        try DecodeOptions().abandonable(byteCount: Self.byteCount(data)) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try SVGDocument(bytes, pixelLimit: options.limits.pixels).header
            }
        }
    }

    /// Draws the image.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.abandonable(byteCount: Self.byteCount(data)) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                let document = try SVGDocument(bytes, pixelLimit: options.limits.pixels)
                let header = document.header
                try options.check(header)
                try options.checkCancellation()
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
        guard ImageFormat.svg.matches(UnsafeRawBufferPointer(bytes)) else {
            throw .badData("This is no SVG.")
        }
        var images = SVGEmbeddedImages(limit: pixelLimit)
        try images.check(bytes)
        guard let document = easel_svg_open(bytes.baseAddress, bytes.count) else {
            throw .badData("The SVG is damaged, cut off, or grows beyond what is allowed.")
        }
        let area = easel_svg_natural_area(document)
        let size = PixelSize(Self.pixels(area.width), Self.pixels(area.height))
        guard size.width > 0, size.height > 0 else {
            easel_svg_close(document)
            throw .badData("The SVG has no pixels: it says that its size is \(area.width) x \(area.height).")
        }
        self.document = document
        self.area = area
        self.size = size
    }

    deinit {
        easel_svg_close(document)
    }

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
            guard isDrawn else { throw .badData("The SVG cannot be drawn.") }
        }
    }

    private static let longestSide = 32_767

    /// Rounds a length up, so that nothing is cut off. Returns 0 for NaN and for values far beyond all limits.
    static func pixels(_ length: Double) -> Int {
        guard length.isFinite, length > 0, length < 1e9 else { return 0 }
        // Lengths converted from millimeters can be slightly above a whole number.
        return Int((length - 0.001).rounded(.up))
    }
}
#endif
