import EaselCore

extension ImageOrientation {
    /// The orientation in a block of EXIF: a TIFF structure, after `Exif` and two zeros where a JPEG or a careless writer
    /// put them. `.up` where there is none, or where the block is damaged: a picture is not refused for its EXIF.
    init(exif bytes: Span<UInt8>) {
        let start = bytes.holds("Exif\0\0", at: 0) ? 6 : 0
        self = Self.entry(in: bytes.extracting(start..<bytes.count)) ?? .up
    }

    private static func entry(in bytes: Span<UInt8>) -> ImageOrientation? {
        let isLittleEndian = bytes.holds("II*\0", at: 0)
        guard isLittleEndian || bytes.holds("MM\0*", at: 0) else { return nil }
        func short(_ offset: Int) -> Int? {
            isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
        }
        func long(_ offset: Int) -> Int? {
            isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
        }
        guard let directory = long(4), let count = short(directory) else { return nil }
        for entry in 0..<count {
            let offset = directory + 2 + entry * 12
            guard let tag = short(offset), let type = short(offset + 2) else { return nil }
            guard tag == 0x0112 else { continue }
            // A SHORT by the standard; some writers use LONG.
            guard let value = type == 4 ? long(offset + 8) : short(offset + 8) else { return nil }
            return ImageOrientation(rawValue: value)
        }
        return nil
    }
}
