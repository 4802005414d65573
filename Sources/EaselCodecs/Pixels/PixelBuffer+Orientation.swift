import EaselCore

extension PixelBuffer {
    /// The stored picture turned upright. What is upright already is returned as it is.
    ///
    /// Works in squares of 16 pixels, so that both sides of a quarter turn stay in the nearest cache.
    func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard orientation != .up else { return self }
        let walk = OrientationWalk(orientation, stored: size)
        return try PixelBuffer(size: orientation.upright(size), isOpaque: isOpaque) {
            (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                guard let from = source.baseAddress, let to = target.baseAddress else { return }
                for top in stride(from: 0, to: height, by: Self.tile) {
                    if isCancelled() { throw .cancelled }
                    for left in stride(from: 0, to: width, by: Self.tile) {
                        for y in top..<min(top + Self.tile, height) {
                            // y is below `height` and x below `width`: inside the source. `walk` is a one-to-one map of
                            // these places onto the upright picture's.
                            let row = from.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                            for x in left..<min(left + Self.tile, width) {
                                let offset = walk.row(x, y) * targetBytesPerRow + walk.column(x, y) * 4
                                to.storeBytes(of: row[x], toByteOffset: offset, as: UInt32.self)
                            }
                        }
                    }
                }
            }
        }
    }

    private static var tile: Int { 16 }
}

/// Where each stored pixel goes: row and column are linear in the stored place.
private struct OrientationWalk {
    private let rowStart: Int, rowByX: Int, rowByY: Int
    private let columnStart: Int, columnByX: Int, columnByY: Int

    init(_ orientation: ImageOrientation, stored: PixelSize) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        switch orientation {
        case .up: self.init(row: (0, 0, 1), column: (0, 1, 0))
        case .upMirrored: self.init(row: (0, 0, 1), column: (right, -1, 0))
        case .down: self.init(row: (bottom, 0, -1), column: (right, -1, 0))
        case .downMirrored: self.init(row: (bottom, 0, -1), column: (0, 1, 0))
        case .leftMirrored: self.init(row: (0, 1, 0), column: (0, 0, 1))
        case .right: self.init(row: (0, 1, 0), column: (bottom, 0, -1))
        case .rightMirrored: self.init(row: (right, -1, 0), column: (bottom, 0, -1))
        case .left: self.init(row: (right, -1, 0), column: (0, 0, 1))
        }
    }

    private init(row: (Int, Int, Int), column: (Int, Int, Int)) {
        (rowStart, rowByX, rowByY) = row
        (columnStart, columnByX, columnByY) = column
    }

    @inline(__always)
    func row(_ x: Int, _ y: Int) -> Int { rowStart &+ x &* rowByX &+ y &* rowByY }

    @inline(__always)
    func column(_ x: Int, _ y: Int) -> Int { columnStart &+ x &* columnByX &+ y &* columnByY }
}
