public import EaselCore
public import EaselFoundation

/// A coder that reads Netpbm's portable anymaps: PBM, PGM and PPM in text and binary form, and PAM of up to four
/// channels, with up to 16 bits per sample. Reads only the first image of a file.
public struct PNMCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `pnm` format.
    public var format: ImageFormat { .pnm }

    /// Reads only the header.
    ///
    /// - Throws: `ImageError.badData` if the data is not an anymap, or is truncated in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try PNMHeader(data.span).imageHeader
    }

    /// Decodes the image.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then missing rows are transparent.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let map = try PNMHeader(file)
        let header = map.imageHeader
        try options.check(header)
        guard options.allowsPartial || map.size.height <= (file.count - map.samples) / map.bytesPerRow else {
            throw .truncated
        }
        return try DecodedImage(header, size: map.size, hasAlpha: map.hasAlpha, options) {
            (canvas) throws(ImageError) in
            let count = try PNMRows(map).draw(file, on: canvas, isCancelled: options.isCancelled)
            canvas.clear(PixelRectangle(x: 0, y: count, size: PixelSize(map.size.width, map.size.height - count)))
            if map.hasAlpha { canvas.premultiply(opaqueWhereUnused: false) }
            return count == map.size.height
        }
    }
}

extension PNMHeader {
    fileprivate var imageHeader: ImageHeader {
        ImageHeader(
            format: .pnm, storedSize: size, hasAlpha: hasAlpha,
            bitDepth: maximum.bitWidth - maximum.leadingZeroBitCount)
    }
}

/// The samples of a portable anymap, row by row.
struct PNMRows {
    let header: PNMHeader
    /// The 8-bit value of each 1-byte sample. Samples above the maximum are clamped.
    private let levels: [UInt8]

    init(_ header: PNMHeader) {
        self.header = header
        levels = (0..<256).map { Self.level(min($0, header.maximum), of: header.maximum) }
    }

    /// Writes the rows that the file contains, without premultiplication. Returns their count.
    func draw(_ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Int {
        let rowsBetweenCancellationChecks = max(1, (1 << 18) / header.bytesPerRow)
        let isText = header.encoding == .text || header.encoding == .textBits
        var reader = PNMReader(position: header.samples)
        for y in 0..<header.size.height {
            if y % rowsBetweenCancellationChecks == 0, isCancelled() { throw .cancelled }
            let isComplete =
                isText ? readText(file, &reader, into: canvas.row(y)) : readBytes(file, row: y, into: canvas.row(y))
            if !isComplete { return y }
        }
        return header.size.height
    }

    private func readText(
        _ file: Span<UInt8>, _ reader: inout PNMReader, into pixels: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        for x in 0..<header.size.width {
            guard let first = sample(file, &reader) else { return false }
            pixels[x] = Self.gray(first)
            guard header.channels > 1 else { continue }
            guard let green = sample(file, &reader), let blue = sample(file, &reader) else { return false }
            pixels[x] = PackedPixel.opaque(red: first, green: green, blue: blue)
        }
        return true
    }

    private func sample(_ file: Span<UInt8>, _ reader: inout PNMReader) -> UInt8? {
        if header.encoding == .textBits { return reader.bit(in: file).map { $0 == 1 ? 0 : 255 } }
        return reader.number(in: file).map { Self.level(min($0, header.maximum), of: header.maximum) }
    }

    private func readBytes(_ file: Span<UInt8>, row: Int, into pixels: UnsafeMutablePointer<UInt32>) -> Bool {
        let start = header.samples + row * header.bytesPerRow
        guard start + header.bytesPerRow <= file.count else { return false }
        let width = header.size.width
        file.extracting(start..<(start + header.bytesPerRow)).withUnsafeBytes { bytes in
            guard let bytes = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            if header.encoding == .bits {
                for x in 0..<width {
                    pixels[x] = Self.gray(bytes[x >> 3] << UInt8(truncatingIfNeeded: x & 7) & 0x80 == 0 ? 255 : 0)
                }
            } else if header.maximum > 255 {
                expand(width, pixels) { index in
                    let sample = Int(bytes[index &* 2]) << 8 | Int(bytes[index &* 2 &+ 1])
                    // Division by a constant takes a tenth of the time.
                    return header.maximum == 65_535
                        ? UInt8(truncatingIfNeeded: (sample &* 255 &+ 32_767) / 65_535)
                        : Self.level(min(sample, header.maximum), of: header.maximum)
                }
            } else {
                levels.withUnsafeBufferPointer { levels in
                    expand(width, pixels) { index in levels[Int(bytes[index])] }
                }
            }
        }
        return true
    }

    /// Assembles pixels from samples, which `sample` returns by their index in the row.
    @inline(__always)
    private func expand(_ width: Int, _ pixels: UnsafeMutablePointer<UInt32>, _ sample: (Int) -> UInt8) {
        switch header.channels {
        case 1: for x in 0..<width { pixels[x] = Self.gray(sample(x)) }
        case 2:
            for x in 0..<width {
                pixels[x] = Self.gray(sample(x &* 2)) & 0xFF_FFFF | UInt32(sample(x &* 2 &+ 1)) << 24
            }
        default:
            for x in 0..<width {
                let start = x &* header.channels
                let color = PackedPixel.opaque(red: sample(start), green: sample(start &+ 1), blue: sample(start &+ 2))
                pixels[x] = header.channels == 3 ? color : color & 0xFF_FFFF | UInt32(sample(start &+ 3)) << 24
            }
        }
    }

    private static func level(_ sample: Int, of maximum: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (sample * 255 + maximum / 2) / maximum)
    }

    @inline(__always)
    private static func gray(_ level: UInt8) -> UInt32 {
        PackedPixel.opaque(red: level, green: level, blue: level)
    }
}
