#if Server
package import EaselCore
import EaselFoundation

extension ProcessingOptions {
    /// Returns the part of the source's metadata to write: all of it, the copyright, or nothing.
    package func metadata(of source: FileMetadata) -> FileMetadata? {
        guard stripsMetadata else { return source }
        guard keepsCopyright, let exif = source.exif, let kept = CopyrightEXIF(Array(exif)) else { return nil }
        return FileMetadata(exif: Data(kept.bytes))
    }
}

/// An EXIF block with the artist and the copyright of another one.
struct CopyrightEXIF {
    private(set) var bytes: [UInt8]

    /// The tags of the artist and of the copyright, in their order.
    private static let tags = [0x013B, 0x8298]

    /// The longest text that is kept.
    private static let longestText = 4_096

    /// Returns `nil` for a block that has neither, or is damaged.
    init?(_ source: [UInt8]) {
        guard let block = TIFFBlock(source) else { return nil }
        let texts = Self.tags.compactMap { tag in block.text(of: tag, limit: Self.longestText).map { (tag, $0) } }
        guard !texts.isEmpty else { return nil }
        func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
        bytes = Array("MM".utf8) + short(42) + long(8) + short(texts.count)
        // The texts follow the entries and the offset of the next directory, which does not exist.
        var place = 8 + 2 + 12 * texts.count + 4
        var content: [UInt8] = []
        for (tag, text) in texts {
            bytes += short(tag) + short(2) + long(text.count)
            if text.count <= 4 {
                bytes += text + [UInt8](repeating: 0, count: 4 - text.count)
            } else {
                bytes += long(place)
                content += text
                place += text.count
            }
        }
        bytes += long(0) + content
    }
}

/// The first directory of a TIFF structure.
private struct TIFFBlock {
    private let bytes: [UInt8]
    private let isLittleEndian: Bool
    private let directory: Int

    init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        switch bytes.prefix(4) {
        case [0x49, 0x49, 0x2A, 0]: isLittleEndian = true
        case [0x4D, 0x4D, 0, 0x2A]: isLittleEndian = false
        default: return nil
        }
        directory = 0
        guard let offset = number(at: 4, byteCount: 4) else { return nil }
        self = TIFFBlock(bytes, isLittleEndian, offset)
    }

    private init(_ bytes: [UInt8], _ isLittleEndian: Bool, _ directory: Int) {
        self.bytes = bytes
        self.isLittleEndian = isLittleEndian
        self.directory = directory
    }

    /// Returns the bytes of an ASCII value, or `nil` if it does not exist or has more than `limit`.
    func text(of tag: Int, limit: Int) -> [UInt8]? {
        guard let count = number(at: directory, byteCount: 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let found = number(at: entry, byteCount: 2) else { return nil }
            guard found == tag else { continue }
            guard number(at: entry + 2, byteCount: 2) == 2, let length = number(at: entry + 4, byteCount: 4),
                (2...limit).contains(length),
                let place = length <= 4 ? entry + 8 : number(at: entry + 8, byteCount: 4),
                place <= bytes.count - length
            else { return nil }
            return Array(bytes[place..<(place + length)])
        }
        return nil
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - byteCount else { return nil }
        let part = bytes[offset..<(offset + byteCount)]
        return (isLittleEndian ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
}
#endif
