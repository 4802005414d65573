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
        let offset = PixelOffset(x: offset.x, y: offset.y)
        let opacity = UInt8((opacity.bounded(0...1) * 255).rounded())
        let identifier =
            "Overlay(\(overlay.width)x\(overlay.height)-\(overlay.contentDigest),\(anchor.rawValue),\(offset.x),"
            + "\(offset.y),\(opacity),\(blendMode.rawValue))"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let (left, top) = anchor.position(overlay.size, on: image.size, offset)
            return try image.drawing(
                overlay, left: left, top: top, opacity: opacity, blendMode, isCancelled: isCancelled)
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

extension PixelBuffer {
    /// Returns an area covered by copies of the image, one of them in the middle.
    ///
    /// - Parameter spacing: the transparent pixels between two copies.
    package func tiled(
        over size: PixelSize, spacing: PixelSize, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let period = PixelSize(width + max(0, spacing.width), height + max(0, spacing.height))
        // The positions of the first pixels in their tile.
        func start(_ whole: Int, _ length: Int, _ period: Int) -> Int {
            (period - (whole - length) / 2 % period) % period
        }
        let left = start(size.width, width, period.width)
        let top = start(size.height, height, period.height)
        return try drawRows(of: size, isOpaque: false, isCancelled: isCancelled) { y, source, target in
            target.update(repeating: 0, count: size.width)
            let row = (y + top) % period.height
            guard row < height else { return }
            for x in 0..<size.width {
                let column = (x + left) % period.width
                if column < width { target[x] = source[row][column] }
            }
        }
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
    fileprivate func position(
        _ size: PixelSize, on whole: PixelSize, _ offset: PixelOffset
    ) -> (left: Int, top: Int) {
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
        return (left + offset.x, top + offset.y)
    }
}

/// An offset in pixels, to the right and down, limited to a million either way.
private struct PixelOffset: Sendable {
    let x: Int
    let y: Int

    init(x: Int, y: Int) {
        self.x = min(max(x, -1_000_000), 1_000_000)
        self.y = min(max(y, -1_000_000), 1_000_000)
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
