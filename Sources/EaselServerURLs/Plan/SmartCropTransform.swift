#if Server
import EaselCore

extension ImageTransform {
    /// Crops to this many pixels, or as many as there are: to the part with the most edges, saturated colors and skin.
    static func smartCrop(to size: PixelSize) -> ImageTransform { ImageTransform(SmartCropTransform(size: size)) }
}

private struct SmartCropTransform: ImageTransforming {
    let size: PixelSize

    var identifier: String { "SmartCrop(\(size))" }

    func apply(to image: DecodedImage, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        let part = PixelSize(min(max(1, size.width), image.size.width), min(max(1, size.height), image.size.height))
        if part == image.size { return image }
        let detail = try DetailMap(image.pixels, isCancelled)
        let (x, y) = detail.position(of: part, in: image.size)
        let crop = ImageTransform.crop(x: x, y: y, width: part.width, height: part.height)
        return try image.applying([crop], isCancelled: isCancelled)
    }
}

/// The amount of detail in every rectangle of a reduced image, as sums from its top left corner.
private struct DetailMap {
    private let size: PixelSize
    /// One row and one column more than the image; the first ones are 0.
    private let sums: [Int]

    /// The longest side of the reduced image.
    private static let side = 128

    init(_ pixels: PixelBuffer, _ isCancelled: () -> Bool) throws(ImageError) {
        let box = TargetSize.pixels(width: Self.side, height: Self.side)
        let small = try pixels.resized(to: box.size(for: pixels.size), isCancelled: isCancelled)
        size = small.size
        let width = size.width + 1
        var sums = [Int](repeating: 0, count: width * (size.height + 1))
        for y in 0..<small.height {
            var row = 0
            for x in 0..<small.width {
                row += Self.detail(small, x, y)
                sums[(y + 1) * width + x + 1] = sums[y * width + x + 1] + row
            }
        }
        self.sums = sums
    }

    /// Returns the position of the part of an image with the most detail; of equal ones that nearest to the middle.
    func position(of part: PixelSize, in whole: PixelSize) -> (x: Int, y: Int) {
        func scaled(_ length: Int, _ whole: Int, _ reduced: Int) -> Int {
            min(reduced, max(1, length * reduced / whole))
        }
        let window = PixelSize(
            scaled(part.width, whole.width, size.width), scaled(part.height, whole.height, size.height))
        let free = PixelSize(size.width - window.width, size.height - window.height)
        var best = (x: free.width / 2, y: free.height / 2, score: Int.min)
        for y in 0...free.height {
            for x in 0...free.width {
                // Twice the distance from the middle. It decides only between almost equal parts.
                let distance = abs(2 * x - free.width) + abs(2 * y - free.height)
                let score = sum(x, y, window) * 64 - distance
                if score > best.score { best = (x, y, score) }
            }
        }
        /// Returns the position in the image, so that the ends of both ranges match.
        func position(_ value: Int, _ free: Int, _ range: Int) -> Int {
            free == 0 ? range / 2 : (value * range + free / 2) / free
        }
        return (
            position(best.x, free.width, whole.width - part.width),
            position(best.y, free.height, whole.height - part.height)
        )
    }

    private func sum(_ x: Int, _ y: Int, _ window: PixelSize) -> Int {
        let width = size.width + 1
        let (top, bottom) = (y * width, (y + window.height) * width)
        return sums[bottom + x + window.width] - sums[bottom + x] - sums[top + x + window.width] + sums[top + x]
    }

    /// Returns the detail of one pixel: the difference of its luminance from its neighbors', its saturation, and
    /// whether it has the hue of skin, whose share of red, green and blue is about 44, 32 and 24 of 100.
    private static func detail(_ image: PixelBuffer, _ x: Int, _ y: Int) -> Int {
        func luminance(_ x: Int, _ y: Int) -> Int {
            let pixel = image[min(max(x, 0), image.width - 1), min(max(y, 0), image.height - 1)]
            return (Int(pixel.red) * 54 + Int(pixel.green) * 183 + Int(pixel.blue) * 19) / 256
        }
        let edge = abs(
            4 * luminance(x, y) - luminance(x - 1, y) - luminance(x + 1, y) - luminance(x, y - 1) - luminance(x, y + 1))
        let pixel = image[x, y]
        let (blue, green, red) = (Int(pixel.blue), Int(pixel.green), Int(pixel.red))
        let sum = red + green + blue
        // Dark pixels have no reliable hue.
        guard sum > 120 else { return edge }
        let saturation = max(red, green, blue) - min(red, green, blue)
        let deviation = abs(100 * red - 44 * sum) + abs(100 * green - 32 * sum) + abs(100 * blue - 24 * sum)
        let skin = deviation < 12 * sum ? 120 : 0
        return edge + saturation / 4 + skin
    }
}
#endif
