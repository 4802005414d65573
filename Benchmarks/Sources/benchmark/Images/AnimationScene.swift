import Easel

/// The contents of an animation.
enum AnimationScene: String, CaseIterable {
    /// A moving camera: every pixel of every frame is new.
    case pan
    /// A disc that moves over a transparent background.
    case sticker
    /// A landscape with small changes.
    case delta

    var size: PixelSize { self == .sticker ? PixelSize(400, 400) : PixelSize(480, 270) }

    private static let count = 30

    func frames() throws -> AnimationFrames {
        let size = size
        let landscape = try Photograph.make(PixelSize(size.width * 2, size.height), seed: 7)
        let isOpaque = self != .sticker
        let images = try (0..<Self.count).map { index in
            try PixelBuffer(size: size, isOpaque: isOpaque) { bytes, bytesPerRow in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        // All are opaque or clear.
                        let color = color(x, y, index, landscape.pixels)
                        let start = y * bytesPerRow + x * 4
                        (bytes[start], bytes[start + 1]) = (color.blue, color.green)
                        (bytes[start + 2], bytes[start + 3]) = (color.red, color.alpha)
                    }
                }
            }
        }
        let durations = [Duration](repeating: .milliseconds(50), count: Self.count)
        return AnimationFrames(durations: durations, size: size, loopCount: 0, isOpaque: isOpaque) { images[$0] }
    }

    private func color(_ x: Int, _ y: Int, _ frame: Int, _ landscape: PixelBuffer) -> ImageColor {
        func color(_ x: Int, _ y: Int) -> ImageColor { landscape.color(x: x, y: y) ?? .clear }
        switch self {
        case .pan:
            return color(x + frame * size.width / Self.count, y)
        case .sticker:
            let (dx, dy) = (x - 100 - frame * 6, y - 200)
            guard dx * dx + dy * dy < 90 * 90 else { return .clear }
            return color(x, y / 2)
        case .delta:
            let (dx, dy) = (x - 40 - frame * 12, y - 100)
            guard abs(dx) < 16, abs(dy) < 16 else { return color(x, y) }
            return ImageColor(red: 220, green: 40, blue: 30)
        }
    }
}

/// The file formats of animations.
enum AnimationFormat: String, CaseIterable {
    case gif = "GIF"
    case webp = "WebP"
    case apng = "APNG"

    var fileExtension: String { self == .apng ? "png" : rawValue.lowercased() }

    var encoder: any AnimationEncoding {
        switch self {
        case .gif: GIFCoder()
        case .webp: WebPCoder()
        case .apng: APNGCoder()
        }
    }

    var decoder: any AnimationDecoding {
        switch self {
        case .gif: GIFCoder()
        case .webp: WebPCoder()
        case .apng: PNGCoder()
        }
    }
}
