import EaselCore

/// Several images in one, side by side, for the window of a demonstration.
struct ContactSheet: Sendable {
    /// The size of the sheet in pixels.
    let size: PixelSize
    /// The maximum size of each image in pixels.
    let cell: PixelSize
    private let columns: Int
    private let gap: Int

    /// Creates a sheet of `count` cells in `canvas`, with cells as square as possible.
    init(count: Int, canvas: PixelSize, gap: Int) {
        let layouts = (1...max(1, count)).map { columns in
            let rows = (max(1, count) + columns - 1) / columns
            return (columns, rows, Self.cell(of: canvas, columns, rows, gap))
        }
        let best = layouts.max { min($0.2.width, $0.2.height) < min($1.2.width, $1.2.height) } ?? layouts[0]
        columns = best.0
        cell = best.2
        self.gap = gap
        size = PixelSize(
            best.0 * (best.2.width + gap) - gap, best.1 * (best.2.height + gap) - gap)
    }

    private static func cell(of canvas: PixelSize, _ columns: Int, _ rows: Int, _ gap: Int) -> PixelSize {
        PixelSize(
            max(1, (canvas.width - gap * (columns - 1)) / columns), max(1, (canvas.height - gap * (rows - 1)) / rows))
    }

    /// Returns the sheet with these images centred in their cells. Larger images are cropped.
    ///
    /// - Throws: `ImageError.tooLarge` if the sheet does not fit into memory.
    func compose(_ images: [PixelBuffer]) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            for (index, image) in images.enumerated() {
                let left = index % columns * (cell.width + gap) + max(0, cell.width - image.width) / 2
                let top = index / columns * (cell.height + gap) + max(0, cell.height - image.height) / 2
                image.forEachRow { y, row in
                    guard y < cell.height, top + y < size.height else { return }
                    let target = bytes[((top + y) * bytesPerRow + left * 4)...]
                    let source = UnsafeRawBufferPointer(row).prefix(min(row.count, cell.width) * 4)
                    UnsafeMutableRawBufferPointer(rebasing: target).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: source))
                }
            }
        }
    }
}
