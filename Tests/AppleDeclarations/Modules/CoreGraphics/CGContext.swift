public enum CGBlendMode: Int32, Sendable {
    case normal, copy
}

public enum CGInterpolationQuality: Int32, Sendable {
    case `default`, none, low, medium, high
}

/// A context that draws only images of its size and layout, by copying their rows.
public final class CGContext {
    private let data: UnsafeMutableRawPointer?
    private let bytesPerRow: Int
    public var interpolationQuality = CGInterpolationQuality.default

    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        self.data = data
        self.bytesPerRow = bytesPerRow
    }

    public func setBlendMode(_ mode: CGBlendMode) {}

    public func draw(_ image: CGImage, in rectangle: CGRect, byTiling: Bool = false) {
        guard let data, let source = image.dataProvider?.address, Int(rectangle.width) == image.width else { return }
        for row in 0..<image.height {
            (data + row * bytesPerRow).copyMemory(from: source + row * image.bytesPerRow, byteCount: image.width * 4)
        }
    }
}
