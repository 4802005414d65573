import EaselCore
import EaselFoundation

/// A reader for EXIF blocks, which are TIFF structures: directories of tags and values, in the byte order of the file.
///
/// The block can start with `Exif` and two zeros. Reads stay inside the block. Only requested directories are read, so
/// cycles are impossible.
enum EXIF {
    static let orientation = 0x0112
    static let exifDirectory = 0x8769
    static let colorSpace = 0xA001
    static let interoperabilityDirectory = 0xA005
    static let interoperabilityIndex = 0x0001
    static let makerNote = 0x927C

    /// Returns the entry of `tag`. `path` lists the tags of nested directories, starting from the first directory.
    static func entry(_ tag: Int, under path: [Int] = [], in bytes: Span<UInt8>) -> Entry? {
        let start = bytes.hasText("Exif\0\0", at: 0) ? 6 : 0
        let isLittleEndian = bytes.hasText("II*\0", at: start)
        guard isLittleEndian || bytes.hasText("MM\0*", at: start) else { return nil }
        var directory = long(start + 4, isLittleEndian, in: bytes)
        for step in path {
            guard let offset = directory, let entry = find(step, offset, start, isLittleEndian, in: bytes) else {
                return nil
            }
            directory = long(entry.offset, isLittleEndian, in: bytes)
        }
        return directory.flatMap { find(tag, $0, start, isLittleEndian, in: bytes) }
    }

    /// A directory entry: its type, and the location of its value or of the value's offset.
    struct Entry {
        var type: Int
        var offset: Int
        var isLittleEndian: Bool
        /// The start of the TIFF structure, which offsets in the file count from.
        var start: Int

        /// Returns the number. The standard requires SHORT for the tags above, but some writers use LONG.
        func number(in bytes: Span<UInt8>) -> Int? {
            type == 4 ? EXIF.long(offset, isLittleEndian, in: bytes) : EXIF.short(offset, isLittleEndian, in: bytes)
        }

        /// Returns the range of the bytes of an UNDEFINED value, if they are inside the block and do not fit the entry.
        func content(in bytes: Span<UInt8>) -> Range<Int>? {
            guard type == 7, let count = EXIF.long(offset - 4, isLittleEndian, in: bytes), count > 4,
                let place = EXIF.long(offset, isLittleEndian, in: bytes), place + start <= bytes.count - count
            else { return nil }
            return (place + start)..<(place + start + count)
        }
    }

    private static func find(
        _ tag: Int, _ directory: Int, _ start: Int, _ isLittleEndian: Bool, in bytes: Span<UInt8>
    ) -> Entry? {
        guard let count = short(directory + start, isLittleEndian, in: bytes) else { return nil }
        for index in 0..<count {
            let offset = start + directory + 2 + index * 12
            guard let found = short(offset, isLittleEndian, in: bytes),
                let type = short(offset + 2, isLittleEndian, in: bytes)
            else { return nil }
            if found == tag {
                return Entry(type: type, offset: offset + 8, isLittleEndian: isLittleEndian, start: start)
            }
        }
        return nil
    }

    private static func short(_ offset: Int, _ isLittleEndian: Bool, in bytes: Span<UInt8>) -> Int? {
        isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
    }

    private static func long(_ offset: Int, _ isLittleEndian: Bool, in bytes: Span<UInt8>) -> Int? {
        isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
    }
}

extension ColorDescription {
    /// Reads the colors of an EXIF block: sRGB, or Adobe RGB as cameras write it, uncalibrated with the index `R03`
    /// (DCF 2.0, option file). Returns `nil` for anything else.
    init?(exif bytes: Span<UInt8>) {
        let space = EXIF.entry(EXIF.colorSpace, under: [EXIF.exifDirectory], in: bytes)
        switch space.flatMap({ $0.number(in: bytes) }) {
        case 1: self = .sRGB
        case 0xFFFF:
            let path = [EXIF.exifDirectory, EXIF.interoperabilityDirectory]
            guard let index = EXIF.entry(EXIF.interoperabilityIndex, under: path, in: bytes),
                bytes.hasText("R03", at: index.offset)
            else { return nil }
            self = .adobeRGB
        default: return nil
        }
    }
}

extension ImageOrientation {
    /// Reads the orientation of an EXIF block; `.up` if it is missing or damaged.
    init(exif bytes: Span<UInt8>) {
        let value = EXIF.entry(EXIF.orientation, in: bytes).flatMap { $0.number(in: bytes) }
        self = value.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    }
}

extension FileMetadata {
    /// The EXIF of the upright image, with a reset orientation, so that readers do not rotate it again.
    var uprightEXIF: [UInt8]? {
        guard let exif else { return nil }
        var bytes = Array(exif)
        guard let entry = EXIF.entry(EXIF.orientation, in: bytes.span) else { return bytes }
        let count = entry.type == 4 ? 4 : 2
        guard entry.offset >= 0, entry.offset <= bytes.count - count else { return bytes }
        for index in 0..<count { bytes[entry.offset + index] = 0 }
        bytes[entry.isLittleEndian ? entry.offset : entry.offset + count - 1] = 1
        return bytes
    }
}

extension EncodeOptions {
    /// The EXIF and XMP to write; `nil` if no metadata is preserved.
    var metadataToWrite: (exif: [UInt8]?, xmp: [UInt8]?)? {
        guard let metadata, !metadata.isEmpty else { return nil }
        return (metadata.uprightEXIF, metadata.xmp.map { Array($0) })
    }
}
