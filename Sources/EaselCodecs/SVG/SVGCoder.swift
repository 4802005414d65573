#if SVG
public import EaselCore

public import EaselFoundation

/// Draws SVG through librsvg, at the size that is asked for: a smaller picture is as sharp as a large one.
///
/// A document is a picture and nothing else: no script runs, and nothing that it refers to is loaded, neither from the
/// network nor from files, but for what it holds itself in `data:` URLs, whose pictures may have as many pixels together as the
/// limits allow one picture. A document without a size has that of its
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

    /// Draws the picture.
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

    /// How large the picture is, only the document tells. What it draws on in between is a few times that.
    private static func byteCount(_ data: Data) -> Int { (16 << 20) + data.count * 8 }
}
#endif
