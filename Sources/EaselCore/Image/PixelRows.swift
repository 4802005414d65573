/// The common interface of images of 8 and of 16 bits per channel.
package protocol PixelImage {
    /// One premultiplied pixel.
    associatedtype Word

    var size: PixelSize { get }
    var bytesPerRow: Int { get }
    var isOpaque: Bool { get }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// Makes an image of another size whose numbers have the same meaning.
    func makeImage(
        of size: PixelSize, isOpaque: Bool,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) -> Self

    static func scale(_ pixel: Word, by factor: UInt32) -> Word
}

/// The rows of an image that is read.
struct SourceRows<Word> {
    let start: UnsafeRawPointer
    let bytesPerRow: Int

    /// The pixels of row `y`, which must be inside the image.
    @inline(__always)
    subscript(_ y: Int) -> UnsafePointer<Word> {
        (start + y * bytesPerRow).assumingMemoryBound(to: Word.self)
    }
}

extension PixelImage {
    func withRows<Result, Failure: Error>(
        _ body: (SourceRows<Word>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withUnsafeBytes { (bytes) throws(Failure) in
            guard let start = bytes.baseAddress else { preconditionFailure("An image has at least one pixel") }
            return try body(SourceRows(start: start, bytesPerRow: bytesPerRow))
        }
    }

    /// Makes an image of `size` whose rows `fill` writes from those of this one. Checks for cancellation every 16 rows.
    func drawRows(
        of size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (_ y: Int, _ source: SourceRows<Word>, _ target: UnsafeMutablePointer<Word>) -> Void
    ) throws(ImageError) -> Self {
        try makeImage(of: size, isOpaque: isOpaque) { (bytes, targetBytesPerRow) throws(ImageError) in
            guard let target = bytes.baseAddress else { return }
            try withRows { (source) throws(ImageError) in
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    fill(y, source, (target + y * targetBytesPerRow).assumingMemoryBound(to: Word.self))
                }
            }
        }
    }

    func crop(x: Int, y: Int, to part: PixelSize, isCancelled: () -> Bool) throws(ImageError) -> Self {
        try drawRows(of: part, isOpaque: isOpaque, isCancelled: isCancelled) { row, source, target in
            target.update(from: source[y + row] + x, count: part.width)
        }
    }

    /// Returns the stored image turned upright. An upright image is returned unchanged.
    ///
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if the image exceeds the machine's memory.
    package func upright(from orientation: ImageOrientation, isCancelled: () -> Bool) throws(ImageError) -> Self {
        guard orientation != .up else { return self }
        let turned = orientation.upright(size)
        let bytesPerPixel = MemoryLayout<Word>.size
        return try makeImage(of: turned, isOpaque: isOpaque) { (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = PixelRows(source, bytesPerRow: bytesPerRow, size: size, bytesPerPixel: bytesPerPixel)
                let to = PixelRows(
                    UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turned,
                    bytesPerPixel: bytesPerPixel)
                try from?.turn(upright: to, from: orientation, isCancelled: isCancelled)
            }
        }
    }
}

extension PixelBuffer: PixelImage {
    package typealias Word = UInt32

    package func makeImage(
        of size: PixelSize, isOpaque: Bool,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: isOpaque, fill: fill)
    }

    package static func scale(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        PremultipliedPixel.scale(pixel, by: factor)
    }

    /// Makes an image of `size` whose rows `fill` writes, from top to bottom. Checks for cancellation every 16 rows.
    static func drawRows(
        of size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool = { false },
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

    /// Makes an image of the same size by changing each pixel separately.
    func mapPixels(
        isOpaque: Bool, isCancelled: () -> Bool, _ change: (UInt32) -> UInt32
    ) throws(ImageError) -> PixelBuffer {
        let width = width
        return try drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            let row = source[y]
            for x in 0..<width { target[x] = change(row[x]) }
        }
    }
}

/// The memory of an image, every row of which is inside it.
struct PixelRows {
    let start: UnsafeMutableRawPointer
    let bytesPerRow: Int
    let size: PixelSize
    /// 4, or 8 for deep pixels.
    let bytesPerPixel: Int

    /// Creates a view of rows. Returns `nil` if `bytes` is too short. A source is only read.
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
