import EaselCore
import EaselFoundation

/// The entries of an EXIF block, which is a TIFF structure: directories of tags and values, in the file's own byte order.
///
/// The block may begin with `Exif` and two zeros, where a JPEG or a careless writer put them. Nothing is ever read from
/// outside of it, and no offset is followed but those that are asked for, so that none can lead in circles.
enum EXIF {
    static let orientation = 0x0112
    static let exifDirectory = 0x8769
    static let colorSpace = 0xA001
    static let interoperabilityDirectory = 0xA005
    static let interoperabilityIndex = 0x0001

    /// Where the value of `tag` lies in a directory, and the block that it lies in. The directory is found by following
    /// `path`, the tags of directories in directories, from the first one.
    static func entry(_ tag: Int, under path: [Int] = [], in bytes: Span<UInt8>) -> Entry? {
        let start = bytes.holds("Exif\0\0", at: 0) ? 6 : 0
        let isLittleEndian = bytes.holds("II*\0", at: start)
        guard isLittleEndian || bytes.holds("MM\0*", at: start) else { return nil }
        var directory = long(start + 4, isLittleEndian, in: bytes)
        for step in path {
            guard let place = directory, let entry = find(step, place + start, isLittleEndian, in: bytes) else {
                return nil
            }
            directory = long(entry.offset, isLittleEndian, in: bytes)
        }
        return directory.flatMap { find(tag, $0 + start, isLittleEndian, in: bytes) }
    }

    /// An entry of a directory: its type, and where its value or the offset of it stands.
    struct Entry {
        var type: Int
        var offset: Int
        var isLittleEndian: Bool

        /// A SHORT by the standard for the tags above; some writers use LONG.
        func number(in bytes: Span<UInt8>) -> Int? {
            type == 4 ? EXIF.long(offset, isLittleEndian, in: bytes) : EXIF.short(offset, isLittleEndian, in: bytes)
        }
    }

    private static func find(_ tag: Int, _ directory: Int, _ isLittleEndian: Bool, in bytes: Span<UInt8>) -> Entry? {
        guard let count = short(directory, isLittleEndian, in: bytes) else { return nil }
        for index in 0..<count {
            let offset = directory + 2 + index * 12
            guard let found = short(offset, isLittleEndian, in: bytes),
                let type = short(offset + 2, isLittleEndian, in: bytes)
            else { return nil }
            if found == tag { return Entry(type: type, offset: offset + 8, isLittleEndian: isLittleEndian) }
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
    /// What a block of EXIF says of the colors: sRGB, or Adobe RGB as cameras write it, uncalibrated with the index `R03`
    /// (DCF 2.0, option file). `nil` where it says nothing that is of use.
    init?(exif bytes: Span<UInt8>) {
        let space = EXIF.entry(EXIF.colorSpace, under: [EXIF.exifDirectory], in: bytes)
        switch space.flatMap({ $0.number(in: bytes) }) {
        case 1: self = .sRGB
        case 0xFFFF:
            let path = [EXIF.exifDirectory, EXIF.interoperabilityDirectory]
            guard let index = EXIF.entry(EXIF.interoperabilityIndex, under: path, in: bytes),
                bytes.holds("R03", at: index.offset)
            else { return nil }
            self = .adobeRGB
        default: return nil
        }
    }
}

extension ImageOrientation {
    /// The orientation in a block of EXIF. `.up` where there is none, or where the block is damaged: an image is not
    /// refused for its EXIF.
    init(exif bytes: Span<UInt8>) {
        let value = EXIF.entry(EXIF.orientation, in: bytes).flatMap { $0.number(in: bytes) }
        self = value.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    }
}

extension FileMetadata {
    /// The EXIF of an upright image, with its orientation reset: readers would turn the image twice.
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
    /// The EXIF and the XMP to write; `nil` where none are to be kept.
    var keptMetadata: (exif: [UInt8]?, xmp: [UInt8]?)? {
        guard let metadata, !metadata.isEmpty else { return nil }
        return (metadata.uprightEXIF, metadata.xmp.map { Array($0) })
    }
}
