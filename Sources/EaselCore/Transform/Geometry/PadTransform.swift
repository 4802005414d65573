/// Adds room around a picture.
struct PadTransform: ImageTransforming {
    enum Room: Hashable {
        case edges(PixelInsets)
        case size(PixelSize)
    }

    let room: Room
    let color: ImageColor

    var identifier: String {
        switch room {
        case .edges(let insets): "Pad(\(insets.text),\(color))"
        case .size(let size): "PadTo(\(size.width)x\(size.height),\(color))"
        }
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        switch room {
        case .size(let least):
            let size = PixelSize(max(least.width, image.size.width), max(least.height, image.size.height))
            if size == image.size { return image }
            return image.replacing(
                try PixelPlacement.centered(image.pixels, on: size, background: color.word, isCancelled))
        case .edges(let insets):
            let (width, tooWide) = insets.left.addingReportingOverflow(insets.right)
            let (height, tooHigh) = insets.top.addingReportingOverflow(insets.bottom)
            let (wide, wider) = width.addingReportingOverflow(image.size.width)
            let (high, higher) = height.addingReportingOverflow(image.size.height)
            guard !tooWide, !tooHigh, !wider, !higher else {
                throw .tooLarge(.pixels(PixelSize(.max, .max), limit: .max))
            }
            let size = PixelSize(wide, high)
            if size == image.size { return image }
            return image.replacing(
                try PixelPlacement.placed(
                    image.pixels, on: size, left: insets.left, top: insets.top, background: color.word, isCancelled))
        }
    }
}

/// Widths of the four edges of a picture, in pixels; none is negative.
public struct PixelInsets: Sendable, Hashable {
    /// At the top.
    public let top: Int
    /// At the left.
    public let left: Int
    /// At the bottom.
    public let bottom: Int
    /// At the right.
    public let right: Int

    /// Widths; a negative one is 0.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        (self.top, self.left) = (max(0, top), max(0, left))
        (self.bottom, self.right) = (max(0, bottom), max(0, right))
    }

    /// The same at all edges.
    public init(_ all: Int) { self.init(top: all, left: all, bottom: all, right: all) }

    var text: String { "\(top),\(left),\(bottom),\(right)" }
}

extension ImageTransform {
    /// Adds edges of a colour, which shows through translucent parts of the picture too.
    public static func pad(_ insets: PixelInsets, color: ImageColor = .clear) -> ImageTransform {
        ImageTransform(PadTransform(room: .edges(insets), color: color))
    }

    /// Adds edges of a colour until both sides have at least this many pixels, with the picture in the middle.
    public static func pad(to size: PixelSize, color: ImageColor = .clear) -> ImageTransform {
        ImageTransform(PadTransform(room: .size(size), color: color))
    }
}
