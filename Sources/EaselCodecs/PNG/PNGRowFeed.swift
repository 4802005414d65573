import EaselCore

/// Assembles the rows of a PNG from inflated data as it arrives.
final class PNGRowFeed {
    private let header: PNGImageHeader
    private let expander: PNGRowExpander
    private let canvas: ArrivingCanvas
    private let passes: [PNGPass]
    private var passIndex = -1
    /// The size of the current pass in pixels.
    private var area = PixelSize(0, 0)
    private var row = 0
    /// Buffers for the current row, with its filter byte and `filled` bytes so far, and the row above. They alternate.
    private let evenLine: ScratchMemory
    private let oddLine: ScratchMemory
    private var isFirstCurrent = true
    private var filled = 0
    private let scattered: ScratchMemory

    /// The number of rows received, in all passes.
    private(set) var rowCount = 0
    /// The number of rows from the top in which every pixel has a value, possibly that of a neighbor.
    private(set) var visibleRows = 0
    /// Whether all passes are complete.
    var isComplete: Bool { passIndex >= passes.count }

    init(_ raster: PNGRaster, on canvas: ArrivingCanvas) throws(ImageError) {
        header = raster.file.header
        expander = raster.expander
        self.canvas = canvas
        passes = header.isInterlaced ? PNGPass.adam7 : [.whole]
        let longest = header.rowByteCount(width: header.size.width) + 1
        evenLine = try ScratchMemory(count: longest, for: header.size)
        oddLine = try ScratchMemory(count: longest, for: header.size)
        scattered = try ScratchMemory(count: header.size.width * 4, for: header.size)
        beginPass()
    }

    /// Adds inflated bytes.
    ///
    /// - Throws: `ImageError.badData` for an unknown filter, and for more bytes than the image has.
    func take(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        var offset = 0
        while offset < bytes.count {
            guard !isComplete, let line = current.baseAddress else {
                throw .badData("The PNG's data is not that of an image of \(header.size).")
            }
            let count = min(lineByteCount - filled, bytes.count - offset)
            // Both buffers have room for the longest row, and `count` ends with this one.
            UnsafeMutableRawBufferPointer(start: line + filled, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
            filled += count
            offset += count
            if filled == lineByteCount { try finishRow() }
        }
    }

    private var lineByteCount: Int { header.rowByteCount(width: area.width) + 1 }
    private var current: UnsafeMutableRawBufferPointer { isFirstCurrent ? evenLine.paddedBytes : oddLine.paddedBytes }
    private var previous: UnsafeMutableRawBufferPointer { isFirstCurrent ? oddLine.paddedBytes : evenLine.paddedBytes }

    private func finishRow() throws(ImageError) {
        let samples = 1..<(lineByteCount + PixelKernels.slack)
        let line = UnsafeMutableRawBufferPointer(rebasing: current[samples])
        try PNGUnfilter.restore(
            line, after: UnsafeRawBufferPointer(rebasing: previous[samples]), count: lineByteCount - 1,
            distance: header.filterDistance, filter: current[0])
        draw(UnsafeRawBufferPointer(line))
        rowCount += 1
        row += 1
        filled = 0
        isFirstCurrent.toggle()
        if row == area.height { beginPass() }
    }

    private func beginPass() {
        repeat {
            passIndex += 1
            guard passIndex < passes.count else { return }
            area = passes[passIndex].size(in: header.size)
        } while area.width == 0 || area.height == 0
        row = 0
        // The row above the first one is all zeros.
        previous.initializeMemory(as: UInt8.self, repeating: 0)
    }

    private func draw(_ samples: UnsafeRawBufferPointer) {
        let pass = passes[passIndex]
        let target = PNGPassTarget(
            pass: pass, bytes: canvas.bytes, bytesPerRow: canvas.bytesPerRow, width: area.width)
        let y = pass.y + row * pass.stepY
        let block = pass.block
        if pass == .whole, let direct = target.directRow(row) {
            _ = expander.expand(samples, width: area.width, into: direct)
        } else if let pixels = scattered.bytes.baseAddress?.assumingMemoryBound(to: UInt32.self),
            let canvas = Canvas(canvas.bytes, bytesPerRow: canvas.bytesPerRow, size: header.size)
        {
            _ = expander.expand(samples, width: area.width, into: scattered.bytes)
            for column in 0..<area.width {
                let place = PixelRectangle(x: pass.x + column * pass.stepX, y: y, size: block)
                canvas.fill(place, with: pixels[column])
            }
        }
        visibleRows = max(visibleRows, min(y + block.height, header.size.height))
    }
}

extension PNGPass {
    /// The block that a pixel fills until later passes arrive. It contains no other pixel of this or an earlier pass.
    fileprivate var block: PixelSize {
        self == .whole ? PixelSize(1, 1) : PixelSize(x == 0 ? stepX : stepX - x, y == 0 ? stepY : stepY - y)
    }
}
