#if Server
package import EaselCore

/// The watermark of a server.
package struct WatermarkImage: Sendable, Hashable {
    let pixels: PixelBuffer
    /// Multiplies the opacity of the options.
    let opacity: Double
    /// Names the pixels and the opacity.
    let identifier: String

    /// Creates a watermark of an image, whose pixels are hashed.
    ///
    /// - Parameter opacity: from 0 to 1; multiplies that of a URL.
    package init(_ image: DecodedImage, opacity: Double = 1) {
        pixels = image.pixels
        self.opacity = opacity
        identifier = ImageTransform.overlay(image, opacity: opacity).identifier
    }

    package static func == (first: WatermarkImage, second: WatermarkImage) -> Bool {
        first.identifier == second.identifier
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A transform that places a watermark.
struct WatermarkTransform: ImageTransforming {
    let identifier: String
    private let placement: ProcessingOptions.Watermark
    private let watermark: WatermarkImage
    private let pixelRatio: Double

    init(_ placement: ProcessingOptions.Watermark, _ watermark: WatermarkImage, _ pixelRatio: Double) {
        self.placement = placement
        self.watermark = watermark
        self.pixelRatio = pixelRatio
        identifier = "Watermark(\(placement.keyText),\(pixelRatio),\(watermark.identifier))"
    }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let opacity = UInt8((min(max(placement.opacity * watermark.opacity, 0), 1) * 255).rounded())
        var mark = watermark.pixels
        if placement.scale > 0 {
            mark = try mark.resized(to: scaledSize(of: mark.size, on: image.size), isCancelled: isCancelled)
        }
        if placement.isTiled {
            let spacing = placement.gravity.offset(on: image.size, pixelRatio: pixelRatio)
            let tiles = try mark.tiled(over: image.size, spacing: PixelSize(spacing.x, spacing.y), isCancelled)
            return try image.drawing(tiles, left: 0, top: 0, opacity: opacity, isCancelled: isCancelled)
        }
        let position = placement.gravity.position(
            of: mark.size, in: image.size, pixelRatio: pixelRatio, mayOverlap: true)
        return try image.drawing(mark, left: position.x, top: position.y, opacity: opacity, isCancelled: isCancelled)
    }

    /// Returns the size inside of a share of the image, at most twice the image's.
    private func scaledSize(of mark: PixelSize, on image: PixelSize) -> PixelSize {
        let scale = min(placement.scale, 2)
        let factor = min(
            max(1, (Double(image.width) * scale).rounded(.toNearestOrEven)) / Double(mark.width),
            max(1, (Double(image.height) * scale).rounded(.toNearestOrEven)) / Double(mark.height))
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
        return PixelSize(side(mark.width), side(mark.height))
    }
}

extension PixelBuffer {
    /// Returns an area covered by copies of the image, one of them in the middle.
    ///
    /// - Parameter spacing: the transparent pixels between two copies.
    func tiled(
        over area: PixelSize, spacing: PixelSize, _ isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> PixelBuffer {
        let period = PixelSize(width + max(0, spacing.width), height + max(0, spacing.height))
        // The positions of the first pixels in their tile.
        func start(_ whole: Int, _ length: Int, _ period: Int) -> Int {
            (period - (whole - length) / 2 % period) % period
        }
        let left = start(area.width, width, period.width)
        let top = start(area.height, height, period.height)
        return try PixelBuffer(size: area, isOpaque: false) { (target, targetBytesPerRow) throws(ImageError) in
            target.initializeMemory(as: UInt8.self, repeating: 0)
            try withUnsafeBytes { (source) throws(ImageError) in
                for y in 0..<area.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    let row = (y + top) % period.height
                    for x in 0..<area.width where row < height {
                        let column = (x + left) % period.width
                        guard column < width else { continue }
                        let pixel = source.load(fromByteOffset: row * bytesPerRow + column * 4, as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: y * targetBytesPerRow + x * 4, as: UInt32.self)
                    }
                }
            }
        }
    }
}
#endif
