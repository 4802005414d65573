extension ImageTransform {
    /// Draws `overlay` over the image, pixel for pixel, as a watermark.
    ///
    /// Hashes the pixels of `overlay` for the identifier: make the transform once and use it for many requests.
    ///
    /// - Parameters:
    ///   - anchor: the place.
    ///   - offset: moves it from there, in pixels to the right and down.
    ///   - opacity: 0 to 1, rounded to 255ths.
    ///   - blendMode: applies only beneath `overlay`.
    public static func overlay(
        _ overlay: DecodedImage, at anchor: OverlayAnchor = .bottomRight, offset: (x: Int, y: Int) = (0, 0),
        opacity: Double = 1, blendMode: BlendMode = .sourceOver
    ) -> ImageTransform {
        let overlay = overlay.pixels
        // So that no position overflows.
        func limit(_ distance: Int) -> Int { min(max(distance, -1_000_000), 1_000_000) }
        let (right, down) = (limit(offset.x), limit(offset.y))
        let opacity = UInt8((opacity.bounded(0...1) * 255).rounded())
        let identifier =
            "Overlay(\(overlay.width)x\(overlay.height)-\(overlay.contentDigest),\(anchor.rawValue),\(right),"
            + "\(down),\(opacity),\(blendMode.rawValue))"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let (left, top) = anchor.position(overlay.size, on: image.size)
            return try image.drawing(
                overlay, left: left + right, top: top + down, opacity: opacity, blendMode, isCancelled: isCancelled)
        }
    }
}

extension DecodedImage {
    /// Returns the image with another one over it.
    ///
    /// - Parameters:
    ///   - left: the position of the left edge of `overlay`; may be negative.
    ///   - top: the position of its top edge.
    ///   - opacity: in 255ths.
    package func drawing(
        _ overlay: PixelBuffer, left: Int, top: Int, opacity: UInt8, _ blendMode: BlendMode = .sourceOver,
        isCancelled: () -> Bool
    ) throws(ImageError) -> DecodedImage {
        let columns = (left..<(left + overlay.width)).clamped(to: 0..<size.width)
        let rows = (top..<(top + overlay.height)).clamped(to: 0..<size.height)
        guard !columns.isEmpty, !rows.isEmpty, opacity > 0 else { return self }
        let isOpaque = pixels.isOpaque && blendMode.keepsOpacity
        let drawn = try pixels.drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            target.update(from: source[y], count: size.width)
            guard rows.contains(y) else { return }
            overlay.withRows { over in
                let row = over[y - top] + (columns.lowerBound - left)
                let output = target + columns.lowerBound
                for x in 0..<columns.count {
                    output[x] = blendMode.blend(PremultipliedPixel.scale(row[x], by: UInt32(opacity)), output[x])
                }
            }
        }
        return replacing(drawn)
    }
}

/// The position of an overlay on an image.
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

    /// Returns the position of the top left corner.
    fileprivate func position(_ size: PixelSize, on whole: PixelSize) -> (left: Int, top: Int) {
        let (right, bottom) = (whole.width - size.width, whole.height - size.height)
        let left =
            switch self {
            case .topLeft, .left, .bottomLeft: 0
            case .top, .center, .bottom: right >> 1
            case .topRight, .right, .bottomRight: right
            }
        let top =
            switch self {
            case .topLeft, .top, .topRight: 0
            case .left, .center, .right: bottom >> 1
            case .bottomLeft, .bottom, .bottomRight: bottom
            }
        return (left, top)
    }
}

extension PixelBuffer {
    /// A digest of the pixels, without padding.
    fileprivate var contentDigest: String {
        let text = withUnsafeBytes { bytes in
            (0..<height).map { y in
                let start = y * bytesPerRow
                let (high, low) = MD5.digest(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + width * 4)]))
                return String(high, radix: 36) + "," + String(low, radix: 36) + ";"
            }
        }
        let (high, low) = MD5.digest(text.joined())
        return String(high, radix: 16) + String(low, radix: 16)
    }
}
