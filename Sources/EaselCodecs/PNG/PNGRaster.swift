import EaselCore

/// Decodes the pixels of one image or frame of a PNG.
struct PNGRaster {
    let file: PNGFile
    var expander: PNGRowExpander

    init(_ file: PNGFile, in bytes: Span<UInt8>) {
        self.file = file
        expander = PNGRowExpander(file, in: bytes)
    }

    func header(in bytes: Span<UInt8>) -> ImageHeader {
        var header = ImageHeader(
            format: file.isAnimated ? .apng : .png, storedSize: file.header.size, hasAlpha: expander.hasAlpha,
            bitDepth: file.header.bitDepth, profileName: file.colors.profileName(in: bytes))
        if let exif = file.exif { header.orientation = ImageOrientation(exif: bytes.extracting(exif)) }
        guard file.isAnimated else { return header }
        header.frameCount = file.frames.count
        header.loopCount = file.loopCount
        header.frameDurations = file.frames.map(\.duration)
        header.hasAlpha = placements.canBeTransparent(on: file.header.size)
        return header
    }

    /// Returns the canvas of an animation after `frame`.
    func composited(
        frame: Int, in bytes: Span<UInt8>, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer.composited(placements, upTo: frame, on: file.header.size, isCancelled: isCancelled) {
            (index, canvas) throws(ImageError) in
            let frame = file.frames[index]
            let image = try pixels(of: frame.chunks, in: bytes, size: frame.rectangle.size, isCancelled: isCancelled)
            canvas.draw(image, in: frame.rectangle, over: !frame.replaces)
        }
    }

    var placements: [FramePlacement] {
        file.frames.map { $0.placement(hasAlpha: expander.hasAlpha) }
    }

    /// Returns the image of `size` pixels in the data of `chunks`.
    ///
    /// - Parameter deep: receives the 16-bit samples if the file has them.
    func pixels(
        of chunks: [PNGChunk], in bytes: Span<UInt8>, size: PixelSize, deep: DeepRows? = nil, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let passes = file.header.isInterlaced ? PNGPass.adam7 : [.whole]
        let data = try PNGInflate.pixels(
            of: chunks, in: bytes, byteCount: try byteCount(of: passes, size: size), size: size)
        // The bitwise AND of all alphas, computed while rows are read.
        var alpha: UInt8 = expander.hasAlpha && !expander.seesAlpha ? 0 : 255
        let pixels = try PixelBuffer(size: size, isOpaque: false) { (target, bytesPerRow) throws(ImageError) in
            var offset = 0
            for pass in passes {
                let area = pass.size(in: size)
                guard area.width > 0, area.height > 0 else { continue }
                let canvas = PNGPassTarget(pass: pass, bytes: target, bytesPerRow: bytesPerRow, width: area.width)
                // `byteCount(of:size:)` counted the same passes, so their rows are inside `data`.
                let rows = UnsafeMutableRawBufferPointer(rebasing: data.paddedBytes[offset...])
                alpha &= try read(rows, area, into: canvas, deep, isCancelled)
                offset += area.height * (1 + file.header.rowByteCount(width: area.width))
            }
        }
        return PixelBuffer(pixels, isOpaque: alpha == 255)
    }

    /// Restores and expands the rows of one pass, which are followed by slack. Returns the bitwise AND of their alphas.
    private func read(
        _ bytes: UnsafeMutableRawBufferPointer, _ area: PixelSize, into target: PNGPassTarget, _ deep: DeepRows?,
        _ isCancelled: () -> Bool
    ) throws(ImageError) -> UInt8 {
        let count = file.header.rowByteCount(width: area.width)
        // The row above the first one.
        let zeros = try ScratchMemory(count: count, for: area)
        zeros.paddedBytes.initializeMemory(as: UInt8.self, repeating: 0)
        let line = try ScratchMemory(count: area.width * 4, for: area)
        var previous = UnsafeRawBufferPointer(zeros.paddedBytes)
        var alpha: UInt8 = 255
        for y in 0..<area.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            let start = y * (count + 1)
            let row = UnsafeMutableRawBufferPointer(
                rebasing: bytes[(start + 1)..<(start + 1 + count + PixelKernels.slack)])
            try PNGUnfilter.restore(
                row, after: previous, count: count, distance: file.header.filterDistance, filter: bytes[start])
            previous = UnsafeRawBufferPointer(row)
            let pixels = target.directRow(y) ?? line.bytes
            alpha &= expander.expand(previous, width: area.width, into: pixels)
            if !target.isDirect { target.scatter(UnsafeRawBufferPointer(pixels), row: y) }
            if let deep { write(previous, area.width, y, of: target.pass, to: deep) }
        }
        return alpha
    }

    private func write(
        _ row: UnsafeRawBufferPointer, _ width: Int, _ y: Int, of pass: PNGPass, to deep: DeepRows
    ) {
        // Positions of the pass are inside the image; see `PNGPassTarget.scatter`.
        guard let samples = row.baseAddress?.assumingMemoryBound(to: UInt8.self), let start = deep.words.baseAddress
        else { return }
        let place = start + (pass.y + y * pass.stepY) * (deep.bytesPerRow / 2) + pass.x * 4
        expander.readWords(samples, width, into: place, step: pass.stepX)
    }

    /// The destination of 16-bit rows: R, G, B, A.
    struct DeepRows {
        let words: UnsafeMutableBufferPointer<UInt16>
        let bytesPerRow: Int
    }

    private func byteCount(of passes: [PNGPass], size: PixelSize) throws(ImageError) -> Int {
        var total = 0
        for pass in passes {
            let area = pass.size(in: size)
            guard area.width > 0 else { continue }
            let (bytes, overflow) = area.height.multipliedReportingOverflow(
                by: 1 + file.header.rowByteCount(width: area.width))
            let (sum, sumOverflow) = total.addingReportingOverflow(bytes)
            guard !overflow, !sumOverflow else { throw .tooLarge(.pixels(size, limit: Int.max)) }
            total = sum
        }
        return total
    }
}

/// Decoding of 16-bit samples at full precision.
extension PNGRaster {
    /// Returns the color space of the samples.
    func deepColors(in bytes: Span<UInt8>) -> ColorDescription {
        file.colors.description(in: bytes, isGray: file.header.colorType.isGray)
    }

    func draw(
        _ frame: PNGFrame, in bytes: Span<UInt8>, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool
    ) throws(ImageError) {
        try draw(
            frame.chunks, in: bytes, on: canvas, frame.rectangle, over: !frame.replaces, isCancelled: isCancelled)
    }

    /// Draws the image in the data of `chunks`.
    func draw(
        _ chunks: [PNGChunk], in bytes: Span<UInt8>, on canvas: borrowing DeepCanvas, _ place: PixelRectangle,
        over: Bool = false, isCancelled: () -> Bool
    ) throws(ImageError) {
        let deep = try DeepRaster(place.size)
        _ = try pixels(
            of: chunks, in: bytes, size: place.size,
            deep: DeepRows(words: deep.words, bytesPerRow: deep.bytesPerRow), isCancelled: isCancelled)
        canvas.draw(deep, in: place, over: over)
    }
}

/// A pass of an interlaced PNG: every `stepX`th pixel of every `stepY`th row (PNG 8.2).
struct PNGPass: Equatable {
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int

    /// The single pass of an image that is not interlaced.
    static let whole = PNGPass(x: 0, y: 0, stepX: 1, stepY: 1)

    static let adam7 = [
        PNGPass(x: 0, y: 0, stepX: 8, stepY: 8), PNGPass(x: 4, y: 0, stepX: 8, stepY: 8),
        PNGPass(x: 0, y: 4, stepX: 4, stepY: 8), PNGPass(x: 2, y: 0, stepX: 4, stepY: 4),
        PNGPass(x: 0, y: 2, stepX: 2, stepY: 4), PNGPass(x: 1, y: 0, stepX: 2, stepY: 2),
        PNGPass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]

    /// Returns the columns and rows of the pass in an image of `size`. Either can be 0.
    func size(in size: PixelSize) -> PixelSize {
        PixelSize(
            max(0, (size.width - x + stepX - 1) / stepX),
            max(0, (size.height - y + stepY - 1) / stepY))
    }
}

/// The destination of a pass.
struct PNGPassTarget {
    let pass: PNGPass
    let bytes: UnsafeMutableRawBufferPointer
    let bytesPerRow: Int
    /// The number of pixels in a row of the pass.
    let width: Int

    /// Whether the pixels of a row are adjacent.
    var isDirect: Bool { pass.stepX == 1 }

    /// Returns the destination of a row with adjacent pixels; `nil` if the pass has gaps.
    func directRow(_ row: Int) -> UnsafeMutableRawBufferPointer? {
        guard isDirect else { return nil }
        let start = offset(ofRow: row)
        return UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + width * 4)])
    }

    /// Writes the pixels of a row to their positions. `PNGPass.size(in:)` counts only columns inside the image.
    func scatter(_ row: UnsafeRawBufferPointer, row number: Int) {
        guard let start = bytes.baseAddress, let from = row.baseAddress, row.count >= width * 4 else { return }
        let target = start.advanced(by: offset(ofRow: number)).assumingMemoryBound(to: UInt32.self)
        let source = from.assumingMemoryBound(to: UInt32.self)
        for column in 0..<width { target[pass.x &+ column &* pass.stepX] = source[column] }
    }

    private func offset(ofRow row: Int) -> Int { (pass.y + row * pass.stepY) * bytesPerRow }
}
