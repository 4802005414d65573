/// The marker segments of a JPEG (ITU-T T.81, B.1.1). Skips the same bytes as libjpeg.
struct JPEGSegments {
    struct Segment {
        /// The second byte of the marker.
        var marker: UInt8
        /// The bytes after the length.
        var content: Range<Int>
    }

    static let startOfScan: UInt8 = 0xDA
    private static let end: UInt8 = 0xD9

    /// A limit above the segments of any file: profiles and extended XMP have at most a few hundred.
    static let maximumCount = 10_000

    /// The offset at which the next marker is searched.
    var offset = 2
    private(set) var count = 0

    /// Advances to the next marker. Returns it, or `nil` if it has not arrived.
    ///
    /// Bytes before it are data or padding, as are restart markers and zeros after 255.
    mutating func findMarker(in file: Span<UInt8>) -> UInt8? {
        while offset + 1 < file.count {
            let marker = file[offset + 1]
            if file[offset] == 0xFF, marker > 1, marker != 0xFF, !(0xD0...0xD7).contains(marker) { return marker }
            offset += 1
        }
        return nil
    }

    /// Returns whether the end marker of the image follows. Its bytes cannot occur in the data of a scan.
    mutating func hasEnd(in file: Span<UInt8>) -> Bool {
        // Almost all files end with the marker.
        if offset <= file.count - 2, file.bigEndian16(at: file.count - 2) == 0xFFD9 { return true }
        while let marker = findMarker(in: file) {
            if marker == Self.end { return true }
            offset += 2
        }
        return false
    }

    /// Returns the next segment, or `nil` at the end of the image. The segment of a scan header is followed by data.
    ///
    /// - Throws: `JPEGStop.incomplete` if the segment has not arrived, `.irregular` for an invalid length and for too
    ///   many segments.
    mutating func next(in file: Span<UInt8>) throws(JPEGStop) -> Segment? {
        guard let marker = findMarker(in: file) else { throw .incomplete }
        if marker == Self.end { return nil }
        guard count < Self.maximumCount else { throw .irregular }
        guard let length = file.bigEndian16(at: offset + 2) else { throw .incomplete }
        guard length >= 2 else { throw .irregular }
        guard length <= file.count - offset - 2 else { throw .incomplete }
        let content = (offset + 4)..<(offset + 2 + length)
        offset = content.upperBound
        count += 1
        return Segment(marker: marker, content: content)
    }
}
