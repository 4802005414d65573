import EaselCore

/// What a Windows icon or cursor consists of: its pictures, as places in the file.
struct ICOFile {
    /// One picture: the same in another size or depth.
    struct Entry {
        enum Content {
            case bitmap(BMPHeader)
            case png
        }

        /// Inside the file.
        var data: Range<Int>
        var content: Content
        var size: PixelSize
        /// Bits a pixel.
        var depth: Int
    }

    /// Those that can be read, at least one.
    private(set) var entries: [Entry] = []
    /// Whether the directory names a picture that is not whole.
    private(set) var isCutOff = false

    /// - Throws: `ImageError.badData` for what is no icon or cursor, or holds no picture.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.littleEndian16(at: 0) == 0, let type = file.littleEndian16(at: 2), type == 1 || type == 2,
            let count = file.littleEndian16(at: 4)
        else { throw .badData("This is no ICO: its signature is missing, or it is cut off.") }
        for index in 0..<count {
            guard let byteCount = file.littleEndian32(at: 6 + index * 16 + 8),
                let start = file.littleEndian32(at: 6 + index * 16 + 12)
            else {
                isCutOff = true
                break
            }
            take(start..<(start + byteCount), of: file)
        }
        guard !entries.isEmpty else { throw .badData("The ICO holds no picture that can be read.") }
    }

    /// What a viewer shows: the largest picture, of the largest ones the deepest.
    var best: Entry { best(of: entries) ?? entries[0] }

    /// The smallest picture of the same proportions that need not be scaled up, of the smallest ones the deepest.
    func entry(for size: PixelSize) -> Entry {
        let largest = best.size
        let candidates = entries.filter {
            $0.size.width >= size.width && $0.size.height >= size.height
                && $0.size.width * largest.height == $0.size.height * largest.width
        }
        guard let least = candidates.map(\.size.width).min() else { return best }
        return best(of: candidates.filter { $0.size.width == least }) ?? best
    }

    private func best(of entries: [Entry]) -> Entry? {
        entries.max { ($0.size.area ?? 0, $0.depth) < ($1.size.area ?? 0, $1.depth) }
    }

    private mutating func take(_ announced: Range<Int>, of file: Span<UInt8>) {
        if announced.upperBound > file.count { isCutOff = true }
        guard announced.lowerBound < file.count else { return }
        let data = announced.clamped(to: 0..<file.count)
        if file.bigEndian32(at: data.lowerBound) == 0x8950_4E47 {
            guard let width = file.bigEndian32(at: data.lowerBound + 16),
                let height = file.bigEndian32(at: data.lowerBound + 20),
                let bits = file.byte(at: data.lowerBound + 24), let colorType = file.byte(at: data.lowerBound + 25)
            else { return isCutOff = true }
            let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(colorType)] ?? 1
            entries.append(
                Entry(data: data, content: .png, size: PixelSize(width, height), depth: Int(bits) * samples))
        } else if let header = try? BMPHeader(icon: file.extracting(data)) {
            entries.append(Entry(data: data, content: .bitmap(header), size: header.size, depth: header.bitCount))
        } else {
            isCutOff = true
        }
    }
}
