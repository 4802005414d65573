import EaselCore

import EaselFoundation

extension FileMetadata {
    /// The EXIF of an upright picture: who reads it would turn the picture once more by what it said before.
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
