import EaselCore
import EaselFoundation

/// The metadata before the image of a JPEG, as ranges of its bytes. The first segment of each kind counts.
struct JPEGMetadata {
    private(set) var exif: Range<Int>?
    private(set) var xmp: Range<Int>?
    /// The index of a multi-picture file: a TIFF structure.
    private(set) var pictures: Range<Int>?
    /// The parameters of a gain map according to ISO 21496-1.
    private(set) var gainMap: Range<Int>?
    /// Whether the file has Adobe's marker.
    private(set) var hasAdobeMarker = false
    /// The parts of the ICC profile, and whether their numbers contradict each other.
    private var profileParts: [Range<Int>?] = []
    private var hasInvalidProfile = false

    private static let exifName: StaticString = "Exif\0\0"
    private static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    /// Reads the segments up to the first scan.
    ///
    /// - Throws: `ImageError.badData` for too many segments.
    init(_ file: Span<UInt8>) throws(ImageError) {
        var segments = JPEGSegments()
        while let segment = try? segments.next(in: file), segment.marker != JPEGSegments.startOfScan {
            add(segment, file)
        }
        guard segments.count < JPEGSegments.maximumCount else {
            throw .badData("The JPEG has more than \(JPEGSegments.maximumCount) segments.")
        }
    }

    private mutating func add(_ segment: JPEGSegments.Segment, _ file: Span<UInt8>) {
        let content = segment.content
        func rest(after name: StaticString) -> Range<Int>? {
            guard file.extracting(content).hasText(name, at: 0) else { return nil }
            return (content.lowerBound + name.utf8CodeUnitCount)..<content.upperBound
        }
        switch segment.marker {
        case 0xE1:
            exif = exif ?? rest(after: Self.exifName)
            xmp = xmp ?? rest(after: Self.xmpName)
        case 0xE2:
            pictures = pictures ?? rest(after: "MPF\0")
            gainMap = gainMap ?? rest(after: GainMap.Parameters.isoName)
            if let part = rest(after: "ICC_PROFILE\0"), part.count >= 2 { addProfile(part, file) }
        case 0xEE where content.count >= 12:
            hasAdobeMarker = hasAdobeMarker || rest(after: "Adobe") != nil
        default: break
        }
    }

    /// Adds a part of the ICC profile, which starts with its number and the number of parts.
    private mutating func addProfile(_ part: Range<Int>, _ file: Span<UInt8>) {
        let (number, count) = (Int(file[part.lowerBound]), Int(file[part.lowerBound + 1]))
        if profileParts.isEmpty { profileParts = Array(repeating: nil, count: count) }
        guard count == profileParts.count, number >= 1, number <= count, profileParts[number - 1] == nil else {
            hasInvalidProfile = true
            return
        }
        profileParts[number - 1] = (part.lowerBound + 2)..<part.upperBound
    }

    /// Returns the ICC profile, or `nil` if it is missing or incomplete.
    func profile(in file: Span<UInt8>) -> [UInt8]? {
        guard !hasInvalidProfile, !profileParts.isEmpty else { return nil }
        var profile: [UInt8] = []
        for part in profileParts {
            guard let part else { return nil }
            file.extracting(part).withUnsafeBytes { profile += $0 }
        }
        return profile
    }

    /// Inserts metadata before all other segments, as EXIF requires.
    ///
    /// - Throws: `ImageError.unsupported` for more than fits in a segment.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        var result = Data([0xFF, 0xD8])
        for (name, content) in [(exifName, metadata.exif), (xmpName, metadata.xmp)] {
            guard let content else { continue }
            let count = name.utf8CodeUnitCount + content.count + 2
            guard count <= 0xFFFF else {
                throw .unsupported("The metadata has \(content.count) bytes. A JPEG has room for about 65,500.")
            }
            result += [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)]
            result += name.withUTF8Buffer { Array($0) } + content
        }
        return result + file.dropFirst(2)
    }
}
