import EaselCore

/// The part of an animation's canvas that a frame draws on.
struct PixelRectangle: Hashable {
    var x: Int
    var y: Int
    var size: PixelSize

    /// The whole of a canvas.
    static func whole(_ size: PixelSize) -> PixelRectangle {
        PixelRectangle(x: 0, y: 0, size: size)
    }

    /// The part that lies on a canvas of `canvas` pixels; its size may be 0 x 0.
    func clipped(to canvas: PixelSize) -> PixelRectangle {
        let left = min(max(x, 0), canvas.width)
        let top = min(max(y, 0), canvas.height)
        let right = min(max(x + size.width, left), canvas.width)
        let bottom = min(max(y + size.height, top), canvas.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + size.width, other.x + other.size.width)
        let bottom = max(y + size.height, other.y + other.size.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    /// A single pixel in the corner, for a frame that changes nothing: formats have no empty ones.
    static let pixel = PixelRectangle(x: 0, y: 0, size: PixelSize(1, 1))
}
