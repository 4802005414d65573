#if SVG
import CEaselSVG
public import EaselCore
public import EaselFoundation

/// Draws SVG through librsvg, at the size that is asked for: a smaller image is as sharp as a large one.
///
/// A document is an image and nothing else: no script runs, and nothing that it refers to is loaded, neither from the
/// network nor from files, but for what it holds itself in `data:` URLs, whose images may have as many pixels together as the
/// limits allow one image. A document without a size has that of its
/// viewBox, or else of what it draws.
///
/// A few lines can ask for hours of drawing, and librsvg cannot be stopped: it draws on a thread of its own, which a cancelled
/// load, and one that takes longer than `ImageLimits.decodingTime`, leaves to itself.
public struct SVGCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `svg`.
    public var format: ImageFormat { .svg }

    /// Reads the whole document. It may take as long as decoding may by default.
    ///
    /// - Throws: `ImageError.badData` for what is no SVG, is cut off, or has no area; `.tooLarge` for images in it beyond the
    ///   default limits, and when the time is up.
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

    /// How large the image is, only the document tells. What it draws on in between is a few times that.
    private static func byteCount(_ data: Data) -> Int { (16 << 20) + data.count * 8 }
}

/// librsvg's state for one document.
struct SVGDocument: ~Copyable {
    private let document: OpaquePointer
    private let area: easel_svg_area
    /// The size that the document says of itself, in whole pixels.
    let size: PixelSize

    /// - Parameter pixelLimit: The most pixels that the images in it may have together.
    /// - Throws: `ImageError.badData` for what is no SVG, or one without an area; `.tooLarge` for one with images beyond the
    ///   limit.
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

    /// The image drawn at a size.
    ///
    /// - Throws: `ImageError.badData` for what cannot be drawn, `.tooLarge` for a side beyond Cairo's limit.
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

    /// Rounded up, so that nothing is cut off; what is no number, or far beyond all limits, has none.
    static func pixels(_ length: Double) -> Int {
        guard length.isFinite, length > 0, length < 1e9 else { return 0 }
        // A length in millimetres is not quite whole where it should be.
        return Int((length - 0.001).rounded(.up))
    }
}
#endif
