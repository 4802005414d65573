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
    let bytes: [UInt8]

    /// The tags of the artist and of the copyright, in the order of a directory.
    private static let tags = [0x013B, 0x8298]

    /// Returns `nil` for a block that has neither as text of 2 to 4,096 bytes.
    init?(_ source: [UInt8]) {
        guard let block = TIFFBlock(source) else { return nil }
        let entries = block.entries
        let texts = Self.tags.compactMap { tag -> (tag: Int, text: ArraySlice<UInt8>)? in
            guard let entry = entries.first(where: { $0.tag == tag && $0.type == 2 }), entry.count > 1 else {
                return nil
            }
            return block.content(of: entry, limit: 4_096).map { (tag, $0) }
        }
        guard !texts.isEmpty else { return nil }
        func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
        var directory = Array("MM".utf8) + short(42) + long(8) + short(texts.count)
        // The texts follow the entries and the position of the next directory, which does not exist.
        let start = directory.count + 12 * texts.count + 4
        var content: [UInt8] = []
        for (tag, text) in texts {
            directory += short(tag) + short(2) + long(text.count)
            if text.count <= 4 {
                directory += text + [UInt8](repeating: 0, count: 4 - text.count)
            } else {
                directory += long(start + content.count)
                content += text
            }
        }
        bytes = directory + long(0) + content
    }
}
#endif
