public import EaselCore
public import EaselFoundation

/// A coder that reads Windows and OS/2 bitmaps of 1 to 32 bits, including run-length encoding and bit fields.
///
/// The parser is part of Easel. The fourth byte of a pixel is alpha only if a header of version 3 or later declares it
/// and it is not 0 in every pixel, which many writers produce.
public struct BMPCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `bmp` format.
    public var format: ImageFormat { .bmp }

    /// Reads only the header.
    ///
    /// - Throws: `ImageError.badData` if the data is not a bitmap, is truncated in its header, or is inconsistent.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try BMPHeader(data.span).imageHeader(format: .bmp)
    }

    /// Decodes the image.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then missing rows are transparent.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let bitmap = try BMPHeader(file)
        let header = bitmap.imageHeader(format: .bmp)
        try options.check(header)
        // Rejects a file without pixels before allocation.
        guard bitmap.pixels < file.count else { throw .truncated }
        return try DecodedImage(header, size: bitmap.size, hasAlpha: bitmap.hasAlpha, options) {
            (canvas) throws(ImageError) in try bitmap.draw(file, on: canvas, options.isCancelled)
        }
    }
}

extension BMPHeader {
    func imageHeader(format: ImageFormat) -> ImageHeader {
        let bitDepth = bitCount <= 8 ? bitCount : bitCount == 16 ? 5 : 8
        return ImageHeader(format: format, storedSize: size, hasAlpha: hasAlpha, bitDepth: bitDepth)
    }

    /// Draws the bitmap. Returns whether it is complete; missing pixels are transparent.
    func draw(_ file: Span<UInt8>, on canvas: Canvas, _ isCancelled: () -> Bool) throws(ImageError) -> Bool {
        let colors = bitCount <= 8 ? colors(in: file) : []
        guard compression == .none else {
            canvas.clear(.whole(size))
            var runs = BMPRunLength(header: self, colors: colors)
            return try runs.draw(file, on: canvas, isCancelled: isCancelled)
        }
        let count = try drawRows(colors, file, on: canvas, isCancelled: isCancelled)
        let isComplete = count == size.height
        let missing = PixelSize(size.width, size.height - count)
        canvas.clear(PixelRectangle(x: 0, y: isTopDown ? count : 0, size: missing))
        let usesAlpha = masks.alpha.mask != 0 && canvas.premultiply(opaqueWhereUnused: isComplete)
        // Alpha includes all information of the mask.
        guard let iconMask, !usesAlpha, isComplete else { return isComplete }
        return apply(mask: iconMask, file, on: canvas)
    }

    /// Clears the masked pixels of an icon. Returns whether the mask is complete.
    private func apply(mask: Int, _ file: Span<UInt8>, on canvas: Canvas) -> Bool {
        let bytesPerRow = Self.bytesPerRow(size.width, 1)
        for index in 0..<size.height {
            let start = mask + index * bytesPerRow
            guard start + (size.width + 7) / 8 <= file.count else { return false }
            let row = canvas.row(canvasRow(index))
            for x in 0..<size.width where file[start + x / 8] << UInt8(x % 8) & 0x80 != 0 { row[x] = 0 }
        }
        return true
    }

    /// Returns the row of the canvas for a stored row.
    func canvasRow(_ index: Int) -> Int { isTopDown ? index : size.height - 1 - index }
}

/// Uncompressed bitmaps.
extension BMPHeader {
    /// Writes the rows that the file contains, without premultiplication. Returns their count.
    func drawRows(
        _ colors: [UInt32], _ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool
    ) throws(ImageError) -> Int {
        let rowsBetweenCancellationChecks = max(1, (1 << 18) / size.width)
        for index in 0..<size.height {
            if index % rowsBetweenCancellationChecks == 0, isCancelled() { throw .cancelled }
            // The padding of the last row can be missing.
            let start = pixels + index * bytesPerRow
            let end = start + (size.width * bitCount + 7) / 8
            guard end <= file.count else { return index }
            let target = canvas.row(canvasRow(index))
            file.extracting(start..<end).withUnsafeBytes { row in
                if let row = row.baseAddress { expand(row, colors, width: size.width, into: target) }
            }
        }
        return size.height
    }

    /// Converts a row. `row` has the bytes of `width` pixels, and `pixels` has room for `width` pixels.
    private func expand(
        _ row: UnsafeRawPointer, _ colors: [UInt32], width: Int, into pixels: UnsafeMutablePointer<UInt32>
    ) {
        switch bitCount {
        case 32: expand32(row, width, pixels)
        case 24: Self.expand24(row, width, pixels)
        case 16:
            for x in 0..<width {
                let bits = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: x &* 2, as: UInt16.self))
                pixels[x] = masks.pixel(UInt32(bits))
            }
        default:
            colors.withUnsafeBufferPointer { colors in
                PackedIndices.expand(row.assumingMemoryBound(to: UInt8.self), width, bitCount, colors, pixels)
            }
        }
    }

    private func expand32(_ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        // The two most common layouts match the target and need only a copy.
        let added: UInt32? =
            masks == .eightBits ? 0xFF00_0000 : masks == .eightBitsWithAlpha ? 0 : nil
        for x in 0..<width {
            let bits = UInt32(littleEndian: row.loadUnaligned(fromByteOffset: x &* 4, as: UInt32.self))
            pixels[x] = added.map { bits | $0 } ?? masks.pixel(bits)
        }
    }

    /// Reads four pixels as three words. The last pixels are read byte by byte, since the row may end after them.
    private static func expand24(_ row: UnsafeRawPointer, _ width: Int, _ pixels: UnsafeMutablePointer<UInt32>) {
        let opaque: UInt32 = 0xFF00_0000
        for four in 0..<(width / 4) {
            let source = row + four &* 12
            let target = pixels + four &* 4
            let first = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
            let second = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let third = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            target[0] = first | opaque
            target[1] = first >> 24 | second << 8 | opaque
            target[2] = second >> 16 | third << 16 | opaque
            target[3] = third >> 8 | opaque
        }
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        for x in (width / 4 * 4)..<width {
            pixels[x] = PackedPixel.opaque(red: bytes[x * 3 + 2], green: bytes[x * 3 + 1], blue: bytes[x * 3])
        }
    }
}

/// The two run-length encodings, for bitmaps of four and eight bits.
struct BMPRunLength {
    let header: BMPHeader
    /// The palette as 256 pixels.
    let colors: [UInt32]

    var x = 0
    /// The row, counted from the first one stored.
    var y = 0

    /// Draws the runs on a transparent canvas. Pixels outside of runs stay transparent, and runs outside of the canvas
    /// are ignored. Returns whether the code is complete.
    mutating func draw(_ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        var offset = header.pixels
        var steps = 0
        while let count = file.byte(at: offset), let value = file.byte(at: offset + 1) {
            steps += 1
            if steps % (1 << 14) == 0, isCancelled() { throw .cancelled }
            offset += 2
            if count > 0 {
                drawRun(of: Int(count), value, on: canvas)
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return true
            case 2:
                guard let right = file.byte(at: offset), let down = file.byte(at: offset + 1) else { return false }
                (x, y) = (x + Int(right), y + Int(down))
                offset += 2
            default:
                guard let end = drawIndices(Int(value), file, at: offset, on: canvas) else { return false }
                offset = end
            }
        }
        // Some writers omit the end marker.
        return y >= header.size.height || (y == header.size.height - 1 && x >= header.size.width)
    }

    private mutating func drawRun(of count: Int, _ value: UInt8, on canvas: Canvas) {
        let isWide = header.compression == .runLength8
        let first = colors[Int(isWide ? value : value >> 4)]
        let second = colors[Int(isWide ? value : value & 15)]
        if let row = row(on: canvas) {
            for index in 0..<max(0, min(count, header.size.width - x)) {
                row[x + index] = index % 2 == 0 ? first : second
            }
        }
        x += count
    }

    /// Draws literal indices, which are padded to 16 bits. Returns the end offset, or `nil` if the file ends before it.
    private mutating func drawIndices(_ count: Int, _ file: Span<UInt8>, at offset: Int, on canvas: Canvas) -> Int? {
        let isWide = header.compression == .runLength8
        let byteCount = isWide ? count : (count + 1) / 2
        guard offset + byteCount <= file.count else { return nil }
        if let row = row(on: canvas) {
            for index in 0..<max(0, min(count, header.size.width - x)) {
                let byte = file[offset + (isWide ? index : index / 2)]
                row[x + index] = colors[Int(isWide ? byte : index % 2 == 0 ? byte >> 4 : byte & 15)]
            }
        }
        x += count
        return offset + (byteCount + 1) / 2 * 2
    }

    /// Returns the current row, or `nil` past the last row.
    private func row(on canvas: Canvas) -> UnsafeMutablePointer<UInt32>? {
        y < header.size.height ? canvas.row(header.canvasRow(y)) : nil
    }
}
