public import EaselCore
public import EaselFoundation

/// A coder that reads and writes QOI, the Quite OK Image format, without a library.
public struct QOICoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `qoi` format.
    public var format: ImageFormat { .qoi }

    /// Reads only the header.
    ///
    /// - Throws: `ImageError.badData` if the data is not a QOI, or is truncated in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try Self.header(of: data.span)
    }

    /// Decodes the image.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then missing pixels are transparent.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = data.span
        let header = try Self.header(of: file)
        try options.check(header)
        let size = header.storedSize
        // A byte encodes at most 62 pixels. `check` has multiplied the sides.
        guard options.allowsPartial || size.width * size.height <= (file.count - QOIReader.headerSize) * 62 else {
            throw .truncated
        }
        return try DecodedImage(header, size: size, hasAlpha: header.hasAlpha, options) { (canvas) throws(ImageError) in
            let isComplete = try QOIReader.read(file, on: canvas, isCancelled: options.isCancelled)
            if !isComplete || header.hasAlpha {
                canvas.premultiply(opaqueWhereUnused: false)
            } else {
                canvas.makeOpaque()
            }
            return isComplete
        }
    }

    private static func header(of file: Span<UInt8>) throws(ImageError) -> ImageHeader {
        guard file.hasText("qoif", at: 0), let width = file.bigEndian32(at: 4), let height = file.bigEndian32(at: 8),
            let channels = file.byte(at: 12), channels == 3 || channels == 4, let space = file.byte(at: 13), space < 2
        else { throw .badData("The QOI header is damaged or truncated.") }
        return ImageHeader(format: .qoi, storedSize: PixelSize(width, height), hasAlpha: channels == 4)
    }
}

/// A decoder of QOI: each pixel is a difference from the previous one, or an index into a table of 64 recent pixels.
enum QOIReader {
    static let headerSize = 14

    /// Writes the pixels, without premultiplication. Returns whether all are present; missing pixels are transparent.
    static func read(_ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        var recent = QOIRecentPixels()
        var pixel: UInt32 = 0xFF00_0000
        var offset = headerSize
        var run = 0
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            let row = canvas.row(y)
            for x in 0..<canvas.size.width {
                if run > 0 {
                    run -= 1
                } else if let length = next(file, &offset, &pixel, &recent) {
                    run = length - 1
                } else {
                    clear(canvas, fromX: x, y: y)
                    return false
                }
                row[x] = pixel
            }
        }
        return true
    }

    private static func clear(_ canvas: Canvas, fromX x: Int, y: Int) {
        let width = canvas.size.width
        canvas.clear(PixelRectangle(x: x, y: y, size: PixelSize(width - x, 1)))
        canvas.clear(PixelRectangle(x: 0, y: y + 1, size: PixelSize(width, canvas.size.height - y - 1)))
    }

    /// Reads one chunk and returns the number of pixels it encodes; `nil` if the file ends before it.
    @inline(__always)
    private static func next(
        _ file: Span<UInt8>, _ offset: inout Int, _ pixel: inout UInt32, _ recent: inout QOIRecentPixels
    ) -> Int? {
        // Eight bytes of end marker follow every chunk, so a chunk of five bytes is complete if its first byte is.
        guard offset < file.count - 8 else { return nil }
        let tag = file[offset]
        offset += 1
        switch tag {
        case 0xFE, 0xFF:
            let alpha = tag == 0xFF ? UInt32(file[offset + 3]) << 24 : pixel & 0xFF00_0000
            pixel = alpha | UInt32(file[offset]) << 16 | UInt32(file[offset + 1]) << 8 | UInt32(file[offset + 2])
            offset += tag == 0xFF ? 4 : 3
        case 0xC0...: return Int(tag & 0x3F) + 1
        case ..<0x40:
            pixel = recent[tag]
            return 1
        case ..<0x80:
            pixel = add(pixel, Int(tag >> 4 & 3) - 2, Int(tag >> 2 & 3) - 2, Int(tag & 3) - 2)
        default:
            let green = Int(tag & 0x3F) - 32
            let differences = file[offset]
            offset += 1
            pixel = add(pixel, green - 8 + Int(differences >> 4), green, green - 8 + Int(differences & 15))
        }
        recent.insert(pixel)
        return 1
    }

    /// Returns a pixel with differences added to its components, which wrap around at 256.
    @inline(__always)
    private static func add(_ pixel: UInt32, _ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
        let red = ((pixel >> 16) &+ UInt32(truncatingIfNeeded: red)) & 0xFF
        let green = ((pixel >> 8) &+ UInt32(truncatingIfNeeded: green)) & 0xFF
        let blue = (pixel &+ UInt32(truncatingIfNeeded: blue)) & 0xFF
        return pixel & 0xFF00_0000 | red << 16 | green << 8 | blue
    }
}

/// The most recent pixel for each of 64 hashes.
struct QOIRecentPixels {
    private var pixels = [UInt32](repeating: 0, count: 64)

    /// Returns the pixel of a hash below 64.
    subscript(_ hash: UInt8) -> UInt32 { pixels[Int(hash & 63)] }

    mutating func insert(_ pixel: UInt32) { pixels[Int(Self.hash(pixel))] = pixel }

    static func hash(_ pixel: UInt32) -> UInt8 {
        let red = pixel >> 16 & 0xFF
        let green = pixel >> 8 & 0xFF
        let blue = pixel & 0xFF
        return UInt8(truncatingIfNeeded: (red &* 3 &+ green &* 5 &+ blue &* 7 &+ (pixel >> 24) &* 11) & 63)
    }
}

extension QOICoder: ImageEncoding {
    /// Writes three channels for an opaque image, otherwise four, without loss.
    ///
    /// - Throws: `ImageError.tooLarge` if the file cannot meet the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: false) { (image, _) throws(ImageError) in
            var writer = QOIWriter(image.pixels)
            for y in 0..<image.pixels.height {
                image.pixels.withRow(y) { row in
                    for pixel in row { writer.append(PremultipliedPixel.unpremultiply(pixel)) }
                }
            }
            return writer.finish()
        }
    }
}

/// A writer that encodes each pixel as the shortest possible chunk.
private struct QOIWriter {
    private var bytes: [UInt8]
    private var recent = QOIRecentPixels()
    private var last: UInt32 = 0xFF00_0000
    private var run = 0

    init(_ pixels: PixelBuffer) {
        bytes = Array("qoif".utf8)
        bytes += PNGChunkWriter.bigEndian(pixels.width) + PNGChunkWriter.bigEndian(pixels.height)
        bytes += [pixels.isOpaque ? 3 : 4, 0]
    }

    mutating func append(_ pixel: UInt32) {
        if pixel == last {
            run += 1
            if run == 62 { endRun() }
            return
        }
        endRun()
        defer { last = pixel }
        let hash = QOIRecentPixels.hash(pixel)
        if recent[hash] == pixel { return bytes.append(hash) }
        recent.insert(pixel)
        if pixel >> 24 == last >> 24 {
            appendDifference(pixel)
        } else {
            bytes += [0xFF] + components(pixel) + [UInt8(pixel >> 24)]
        }
    }

    mutating func finish() -> Data {
        endRun()
        return Data(bytes + [0, 0, 0, 0, 0, 0, 0, 1])
    }

    private mutating func endRun() {
        if run > 0 { bytes.append(0xC0 | UInt8(run - 1)) }
        run = 0
    }

    /// Appends a color difference, in two bits per component, in four to six, or in full.
    private mutating func appendDifference(_ pixel: UInt32) {
        let differences = zip(components(pixel), components(last)).map { Int(Int8(bitPattern: $0 &- $1)) }
        let (red, green, blue) = (differences[0], differences[1], differences[2])
        if differences.allSatisfy({ (-2...1).contains($0) }) {
            bytes.append(UInt8(0x40 | (red + 2) << 4 | (green + 2) << 2 | (blue + 2)))
        } else if (-32...31).contains(green), (-8...7).contains(red - green), (-8...7).contains(blue - green) {
            bytes += [UInt8(0x80 | (green + 32)), UInt8((red - green + 8) << 4 | (blue - green + 8))]
        } else {
            bytes += [0xFE] + components(pixel)
        }
    }

    private func components(_ pixel: UInt32) -> [UInt8] {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: pixel >> $0) }
    }
}
