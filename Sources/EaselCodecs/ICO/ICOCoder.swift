public import EaselCore
public import EaselFoundation

/// A coder that reads Windows icons and cursors. Their entries are treated as one image in several sizes: the header
/// has the largest size, and smaller sizes are decoded from the nearest larger entry.
public struct ICOCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `ico` format, also for cursors.
    public var format: ImageFormat { .ico }

    /// Reads the directory and the headers of the images.
    ///
    /// - Throws: `ImageError.badData` if the data is not an icon or contains no readable image.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try Self.header(of: try ICOFile(data.span).best, in: data)
    }

    /// Decodes the image. Transparency comes from its alpha, or from its mask if it has no alpha.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = try ICOFile(data.span)
        let header = try Self.header(of: file.best, in: data)
        try options.check(header)
        if file.isTruncated, !options.allowsPartial { throw .truncated }
        let entry = file.entry(for: options.targetSize.size(for: header.size))
        try options.check(try Self.header(of: entry, in: data))
        if let bitmap = entry.bitmap {
            return try DecodedImage(
                header, size: bitmap.size, hasAlpha: true, isPartial: file.isTruncated, options
            ) { (canvas) throws(ImageError) in
                try bitmap.draw(data.span.extracting(entry.data), on: canvas, options.isCancelled)
            }
        }
        var whole = options
        whole.targetSize = .original
        whole.frame = 0
        let image = try PNGCoder().decode(Self.content(of: entry, in: data), whole)
        return try DecodedImage(
            stored: image.pixels, header: header, options: options,
            isPartial: image.metadata.isPartial || file.isTruncated)
    }

    /// Returns the header of one entry. Frames and orientation of a PNG are ignored in an icon.
    private static func header(of entry: ICOFile.Entry, in data: Data) throws(ImageError) -> ImageHeader {
        if let bitmap = entry.bitmap { return bitmap.imageHeader(format: .ico) }
        let header = try PNGCoder().header(of: content(of: entry, in: data))
        return ImageHeader(
            format: .ico, storedSize: header.storedSize, hasAlpha: header.hasAlpha, bitDepth: header.bitDepth,
            profileName: header.profileName)
    }

    /// Returns the bytes of an entry. The indices of `data` may not start at 0.
    private static func content(of entry: ICOFile.Entry, in data: Data) -> Data {
        data.dropFirst(entry.data.lowerBound).prefix(entry.data.count)
    }
}

/// The structure of a Windows icon or cursor: the ranges of its images.
struct ICOFile {
    /// The same image in one size and depth.
    struct Entry {
        /// The range of the data, inside the file.
        var data: Range<Int>
        /// The header of a bitmap; `nil` for a PNG.
        var bitmap: BMPHeader?
        var size: PixelSize
        /// The bits of a pixel.
        var depth: Int
    }

    /// The readable entries, never empty.
    private(set) var entries: [Entry] = []
    /// Whether the directory refers to an incomplete image.
    private(set) var isTruncated = false

    /// - Throws: `ImageError.badData` if the data is not an icon or cursor, or contains no image.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.littleEndian16(at: 0) == 0, let type = file.littleEndian16(at: 2), type == 1 || type == 2,
            let count = file.littleEndian16(at: 4)
        else { throw .badData("Not an ICO file.") }
        for index in 0..<count {
            guard let byteCount = file.littleEndian32(at: 6 + index * 16 + 8),
                let start = file.littleEndian32(at: 6 + index * 16 + 12)
            else {
                isTruncated = true
                break
            }
            addEntry(start..<(start + byteCount), of: file)
        }
        guard !entries.isEmpty else { throw .badData("The ICO file has no readable image.") }
    }

    /// The default image: the largest one, and among equal sizes the deepest.
    var best: Entry { best(of: entries) ?? entries[0] }

    /// Returns the smallest image of the same proportions that covers `size`, and among equal sizes the deepest.
    func entry(for size: PixelSize) -> Entry {
        let largest = best.size
        let candidates = entries.filter {
            $0.size.width >= size.width && $0.size.height >= size.height
                && $0.size.width * largest.height == $0.size.height * largest.width
        }
        guard let minimumWidth = candidates.map(\.size.width).min() else { return best }
        return best(of: candidates.filter { $0.size.width == minimumWidth }) ?? best
    }

    private func best(of entries: [Entry]) -> Entry? {
        entries.max { ($0.size.area ?? 0, $0.depth) < ($1.size.area ?? 0, $1.depth) }
    }

    private mutating func addEntry(_ announced: Range<Int>, of file: Span<UInt8>) {
        if announced.upperBound > file.count { isTruncated = true }
        guard announced.lowerBound < file.count else { return }
        let data = announced.clamped(to: 0..<file.count)
        if file.bigEndian32(at: data.lowerBound) == 0x8950_4E47 {
            guard let width = file.bigEndian32(at: data.lowerBound + 16),
                let height = file.bigEndian32(at: data.lowerBound + 20),
                let bits = file.byte(at: data.lowerBound + 24), let colorType = file.byte(at: data.lowerBound + 25)
            else { return isTruncated = true }
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(colorType)] ?? 1
            entries.append(Entry(data: data, size: PixelSize(width, height), depth: Int(bits) * samples))
        } else if let header = try? BMPHeader(icon: file.extracting(data)) {
            entries.append(Entry(data: data, bitmap: header, size: header.size, depth: header.bitCount))
        } else {
            isTruncated = true
        }
    }
}
