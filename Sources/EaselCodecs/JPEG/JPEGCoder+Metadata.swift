public import EaselCore

public import EaselFoundation

extension JPEGCoder: MetadataReading {
    /// Reads the first EXIF and the first XMP among the segments before the picture. The parts of an XMP that needs more
    /// than one segment are left out.
    ///
    /// - Throws: `ImageError.badData` for what is no JPEG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let file = data.span
        guard file.bigEndian16(at: 0) == 0xFFD8 else { throw .badData("This is no JPEG: it begins otherwise.") }
        var metadata = FileMetadata()
        var offset = 2
        while let marker = file.bigEndian16(at: offset), marker != JPEGSegments.startOfScan, marker >= 0xFF01,
            let length = file.bigEndian16(at: offset + 2), length >= 2, length <= file.count - offset - 2
        {
            let content = (offset + 4)..<(offset + 2 + length)
            if marker == JPEGSegments.application1 {
                let segment = file.extracting(content)
                if metadata.exif == nil, let exif = JPEGSegments.content(of: segment, behind: JPEGSegments.exifName) {
                    metadata.exif = exif
                }
                if metadata.xmp == nil, let xmp = JPEGSegments.content(of: segment, behind: JPEGSegments.xmpName) {
                    metadata.xmp = xmp
                }
            }
            offset = content.upperBound
        }
        return metadata
    }
}

/// The segments that hold a JPEG's metadata.
enum JPEGSegments {
    static let application1 = 0xFFE1
    static let startOfScan = 0xFFDA
    static let exifName: StaticString = "Exif\0\0"
    static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    /// The bytes behind the name that says what a segment is.
    static func content(of segment: Span<UInt8>, behind name: StaticString) -> Data? {
        guard segment.holds(name, at: 0) else { return nil }
        return segment.extracting(name.utf8CodeUnitCount..<segment.count).withUnsafeBytes { Data($0) }
    }

    /// The file with metadata where EXIF wants it: in front of all else.
    ///
    /// - Throws: `ImageError.unsupported` for more than a segment holds.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        var result = Data([0xFF, 0xD8])
        for (name, content) in [(exifName, metadata.exif), (xmpName, metadata.xmp)] {
            guard let content else { continue }
            let count = name.utf8CodeUnitCount + content.count + 2
            guard count <= 0xFFFF else {
                throw .unsupported("A JPEG has no room for \(content.count) bytes of metadata: it takes about 65,500.")
            }
            result += [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)]
            result += name.withUTF8Buffer { Array($0) } + content
        }
        return result + file.dropFirst(2)
    }
}
