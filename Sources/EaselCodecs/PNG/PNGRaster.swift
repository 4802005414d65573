import EaselCore

/// A decoder of the pixels of one image or frame of a PNG.
struct PNGRaster {
    let file: PNGFile
    private(set) var expander: PNGRowExpander
    /// The color space of the pixels; `nil` if it is the requested one.
    private(set) var colors: ColorDescription?

    /// - Parameter space: the requested colors, to which 16-bit samples are converted before they are reduced to 8
    ///   bits, to keep the precision that HDR needs; `nil` if no pixels are decoded.
    init(_ file: PNGFile, in bytes: Span<UInt8>, convertingTo space: ColorSpace? = nil) {
        self.file = file
        expander = PNGRowExpander(file, in: bytes)
        guard let space else { return }
        let stored = deepColors(in: bytes)
        if file.header.bitDepth == 16 {
            expander.wordConversion = ColorConversion.from(stored, to: space, of: .words)
        }
        colors = expander.wordConversion == nil ? stored : nil
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
        var alpha: UInt8 = expander.hasAlpha && !expander.reportsAlpha ? 0 : 255
        let pixels = try PixelBuffer.draw(size) { (canvas) throws(ImageError) in
            var offset = 0
            for pass in passes {
                let area = pass.size(in: size)
                guard area.width > 0, area.height > 0 else { continue }
                // `byteCount(of:size:)` counted the same passes, so their rows are inside `data`.
                let rows = UnsafeMutableRawBufferPointer(rebasing: data.paddedBytes[offset...])
                alpha &= try read(rows, pass, area, on: canvas, deep, isCancelled)
                offset += area.height * (1 + file.header.rowByteCount(width: area.width))
            }
        }
        return PixelBuffer(pixels, isOpaque: alpha == 255)
    }

    /// Restores and expands the rows of one pass, which are followed by slack. Returns the bitwise AND of their alphas.
    private func read(
        _ bytes: UnsafeMutableRawBufferPointer, _ pass: PNGPass, _ area: PixelSize, on canvas: Canvas,
        _ deep: DeepRows?, _ isCancelled: () -> Bool
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
            try PNGFilter.restore(
                row, after: previous, count: count, distance: file.header.filterDistance, filter: bytes[start])
            previous = UnsafeRawBufferPointer(row)
            // `PNGPass.size(in:)` counts only columns and rows inside the image.
            let position = (x: pass.x, y: pass.y + y * pass.stepY)
            alpha &= expander.expand(
                previous, width: area.width, into: canvas.row(position.y) + position.x, step: pass.stepX,
                through: line.bytes)
            if let deep, let samples = row.baseAddress?.assumingMemoryBound(to: UInt8.self) {
                let words = deep.start + position.y * deep.wordsPerRow + position.x * 4
                expander.readWords(samples, area.width, into: words, step: pass.stepX)
            }
        }
        return alpha
    }

    /// The destination of 16-bit rows: R, G, B, A.
    struct DeepRows {
        fileprivate let start: UnsafeMutablePointer<UInt16>
        fileprivate let wordsPerRow: Int

        init?(_ raster: borrowing DeepRaster) {
            guard let start = raster.words.baseAddress else { return nil }
            self.start = start
            wordsPerRow = raster.bytesPerRow / 2
        }
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

    /// Returns the color space of the 16-bit samples.
    func deepColors(in bytes: Span<UInt8>) -> ColorDescription {
        file.colors.description(in: bytes, isGray: file.header.colorType.isGray)
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
