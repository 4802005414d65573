/// The memory of an image, every row of which is inside it.
struct PixelRows {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let size: PixelSize
    /// 4, or 8 for deep pixels.
    let bytesPerPixel: Int

    /// `nil` if `bytes` is too short. The source of a turn is only read.
    init?(_ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: PixelSize, bytesPerPixel: Int = 4) {
        guard let start = bytes.baseAddress, bytesPerRow >= size.width * bytesPerPixel,
            bytes.count >= bytesPerRow * size.height
        else { return nil }
        self.start = UnsafeMutableRawPointer(mutating: start)
        self.bytesPerRow = bytesPerRow
        self.size = size
        self.bytesPerPixel = bytesPerPixel
    }

    func row(_ y: Int) -> UnsafeMutableRawPointer { start + y * bytesPerRow }

    /// Writes the upright image into `target`, which has its size. Checks for cancellation every 64 rows.
    func turn(
        upright target: PixelRows?, from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) {
        guard let target else { return }
        // Whether both images exceed the share of the cache that one core has.
        let isLarge = bytesPerRow * size.height >= 4 << 20
        let isMirrored = orientation == .upMirrored || orientation == .down
        let fromBottom = orientation == .down || orientation == .downMirrored
        let count = size.width * bytesPerPixel
        for first in stride(from: 0, to: target.size.height, by: 64) {
            if isCancelled() { throw .cancelled }
            let rows = first..<min(first + 64, target.size.height)
            if orientation.swapsSides {
                PixelKernels.best.transpose(
                    self, columns: rows, into: target,
                    fromRight: orientation == .right || orientation == .rightMirrored,
                    fromBottom: orientation == .left || orientation == .rightMirrored, passesCache: isLarge)
                continue
            }
            for y in rows {
                let from = UnsafeRawBufferPointer(start: row(y), count: count)
                let turned = target.row(fromBottom ? size.height - 1 - y : y)
                let to = UnsafeMutableRawBufferPointer(start: turned, count: count)
                if isMirrored {
                    PixelKernels.best.mirror(
                        from, into: to, count: size.width, bytesPerPixel: bytesPerPixel, passesCache: isLarge)
                } else {
                    to.copyMemory(from: from)
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Returns the stored image turned upright. An upright image is returned unchanged.
    ///
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if the image exceeds the machine's memory.
    package func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard orientation != .up else { return self }
        let turned = orientation.upright(size)
        return try PixelBuffer(size: turned, isOpaque: isOpaque) { (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = PixelRows(source, bytesPerRow: bytesPerRow, size: size)
                let to = PixelRows(UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turned)
                try from?.turn(upright: to, from: orientation, isCancelled: isCancelled)
            }
        }
    }
}

extension DeepPixelBuffer {
    /// Returns the stored image turned upright. An upright image is returned unchanged.
    package func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> DeepPixelBuffer {
        guard orientation != .up else { return self }
        let turned = orientation.upright(size)
        return try DeepPixelBuffer(size: turned, isOpaque: isOpaque, colors: colors) {
            (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = PixelRows(source, bytesPerRow: bytesPerRow, size: size, bytesPerPixel: 8)
                let to = PixelRows(
                    UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turned, bytesPerPixel: 8)
                try from?.turn(upright: to, from: orientation, isCancelled: isCancelled)
            }
        }
    }
}

/// The rows of an image that is read.
struct SourceRows {
    let start: UnsafeRawPointer
    let bytesPerRow: Int

    /// The pixels of row `y`, which lies inside the image.
    @inline(__always)
    subscript(_ y: Int) -> UnsafePointer<UInt32> {
        UnsafePointer((start + y * bytesPerRow).assumingMemoryBound(to: UInt32.self))
    }
}

extension PixelBuffer {
    /// Makes an image of `size` whose rows `fill` writes, from top to bottom. Checks for cancellation every 16 rows.
    static func rows(
        of size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (_ y: Int, _ target: UnsafeMutablePointer<UInt32>) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: isOpaque) { (bytes, bytesPerRow) throws(ImageError) in
            guard let start = bytes.baseAddress else { return }
            for y in 0..<size.height {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                fill(y, (start + y * bytesPerRow).assumingMemoryBound(to: UInt32.self))
            }
        }
    }

    /// Makes an image of `size` whose rows `fill` writes from those of this one.
    func remade(
        _ size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (_ y: Int, _ source: SourceRows, _ target: UnsafeMutablePointer<UInt32>) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try withUnsafeBytes { (bytes) throws(ImageError) in
            guard let start = bytes.baseAddress else { return self }
            let source = SourceRows(start: start, bytesPerRow: bytesPerRow)
            return try .rows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, target in
                fill(y, source, target)
            }
        }
    }

    /// Makes an image of the same size, changing every pixel by itself.
    func mapped(
        isOpaque: Bool, isCancelled: () -> Bool, _ change: (UInt32) -> UInt32
    ) throws(ImageError) -> PixelBuffer {
        let width = width
        return try remade(size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            let row = source[y]
            for x in 0..<width { target[x] = change(row[x]) }
        }
    }

    /// Calls `body` with the rows.
    func withRows<Result>(_ empty: Result, _ body: (SourceRows) -> Result) -> Result {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return empty }
            return body(SourceRows(start: start, bytesPerRow: bytesPerRow))
        }
    }
}
