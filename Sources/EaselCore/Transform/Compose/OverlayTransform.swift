/// Lays one picture over another: a watermark, a badge, a texture.
struct OverlayTransform: ImageTransforming {
    let picture: PixelBuffer
    /// Of its pixels: equal pictures are equal parameters.
    let digest: String
    let anchor: OverlayAnchor
    let offset: PixelOffset
    /// In 255ths.
    let opacity: UInt8
    let blendMode: BlendMode

    var identifier: String {
        "Overlay(\(picture.width)x\(picture.height)-\(digest),\(anchor.rawValue),\(offset.x),\(offset.y),\(opacity),"
            + "\(blendMode.rawValue))"
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let (left, top) = anchor.place(picture.size, on: image.size, offset)
        let columns = max(0, left)..<max(0, left, min(image.size.width, left + picture.width))
        let rows = max(0, top)..<max(0, top, min(image.size.height, top + picture.height))
        guard !columns.isEmpty, !rows.isEmpty, opacity > 0 else { return image }
        let width = image.size.width
        let isOpaque = image.pixels.isOpaque && blendMode.keepsOpacity
        let pixels = try picture.withUnsafeBytes { (bytes) throws(ImageError) -> PixelBuffer in
            guard let start = bytes.baseAddress else { return image.pixels }
            let over = SourceRows(start: start, bytesPerRow: picture.bytesPerRow)
            return try image.pixels.remade(image.size, isOpaque: isOpaque, isCancelled: isCancelled) {
                y, source, target in
                target.update(from: source[y], count: width)
                guard rows.contains(y) else { return }
                let row = over[y - top] + (columns.lowerBound - left)
                let place = target + columns.lowerBound
                for x in 0..<columns.count {
                    place[x] = blendMode.blend(PremultipliedPixel.scaled(row[x], by: UInt32(opacity)), place[x])
                }
            }
        }
        return image.replacing(pixels)
    }
}

extension BlendMode {
    /// Whether the result is opaque wherever the destination is.
    var keepsOpacity: Bool {
        switch self {
        case .clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationOut, .destinationAtop, .xor: false
        default: true
        }
    }
}

/// Where a picture is laid over another.
public enum OverlayAnchor: String, Sendable, Hashable, CaseIterable {
    /// At the top left.
    case topLeft
    /// In the middle of the top.
    case top
    /// At the top right.
    case topRight
    /// In the middle of the left edge.
    case left
    /// In the middle.
    case center
    /// In the middle of the right edge.
    case right
    /// At the bottom left.
    case bottomLeft
    /// In the middle of the bottom.
    case bottom
    /// At the bottom right.
    case bottomRight

    /// The place of the top left corner.
    func place(_ size: PixelSize, on whole: PixelSize, _ offset: PixelOffset) -> (left: Int, top: Int) {
        let (right, bottom) = (whole.width - size.width, whole.height - size.height)
        let (across, along): (Int, Int) =
            switch self {
            case .topLeft: (0, 0)
            case .top: (right >> 1, 0)
            case .topRight: (right, 0)
            case .left: (0, bottom >> 1)
            case .center: (right >> 1, bottom >> 1)
            case .right: (right, bottom >> 1)
            case .bottomLeft: (0, bottom)
            case .bottom: (right >> 1, bottom)
            case .bottomRight: (right, bottom)
            }
        return (across + offset.x, along + offset.y)
    }
}

/// A way in pixels: to the right and down. No more than a million either way.
public struct PixelOffset: Sendable, Hashable {
    /// To the right.
    public let x: Int
    /// Down.
    public let y: Int

    /// A way of so many pixels.
    public init(x: Int = 0, y: Int = 0) {
        self.x = min(max(x, -1_000_000), 1_000_000)
        self.y = min(max(y, -1_000_000), 1_000_000)
    }
}

extension ImageTransform {
    /// Lays `picture` over the picture, pixel for pixel, as a watermark.
    ///
    /// Takes time in proportion to the pixels of `picture`, which are hashed for the identifier: make the transform once and
    /// use it for many requests.
    ///
    /// - Parameters:
    ///   - anchor: where.
    ///   - offset: moves it from there.
    ///   - opacity: 0 to 1, rounded to 255ths.
    ///   - blendMode: how; it applies only where `picture` lies.
    public static func overlay(
        _ picture: DecodedImage, at anchor: OverlayAnchor = .bottomRight, offset: PixelOffset = PixelOffset(),
        opacity: Double = 1, blendMode: BlendMode = .sourceOver
    ) -> ImageTransform {
        ImageTransform(
            OverlayTransform(
                picture: picture.pixels, digest: picture.pixels.contentDigest, anchor: anchor, offset: offset,
                opacity: UInt8((opacity.bounded(0...1) * 255).rounded()), blendMode: blendMode))
    }
}

extension PixelBuffer {
    /// A digest of the pixels, without what fills the rows up.
    var contentDigest: String {
        var text = ""
        // A digest of the rows' digests: rows are no neighbours in memory.
        withUnsafeBytes { bytes in
            for y in 0..<height {
                let start = y * bytesPerRow
                let (high, low) = MD5.digest(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + width * 4)]))
                text += String(high, radix: 36) + "," + String(low, radix: 36) + ";"
            }
        }
        let (high, low) = MD5.digest(text)
        return String(high, radix: 16) + String(low, radix: 16)
    }
}
