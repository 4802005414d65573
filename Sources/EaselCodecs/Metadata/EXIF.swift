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
