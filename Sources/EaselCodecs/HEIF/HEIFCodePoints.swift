#if HEIF
import EaselCore

/// What libheif is not asked: to code points that it does not know, libheif 1.15 answers with an error, and loses the 52
/// bytes that the answer was to be in.
extension Span where Element == UInt8 {
    /// Whether the colour box of any picture in the file (ISO/IEC 23008-12, 6.5.5) has such.
    var hasUnknownCodePoints: Bool {
        var hasUnknown = false
        forEachBox("meta", in: 0..<count) { meta in
            guard meta.count > 4, let properties = box(["iprp", "ipco"], in: (meta.lowerBound + 4)..<meta.upperBound)
            else { return }
            forEachBox("colr", in: properties) { content in
                if holds("nclx", at: content.lowerBound), !hasKnownCodePoints(in: content.dropFirst(4)) {
                    hasUnknown = true
                }
            }
        }
        return hasUnknown
    }

    /// Primaries, transfer and matrix that ITU-T H.273 does not reserve, and that are not newer than libheif 1.15.
    private func hasKnownCodePoints(in content: Range<Int>) -> Bool {
        guard content.count >= 6, let primaries = bigEndian16(at: content.lowerBound),
            let transfer = bigEndian16(at: content.lowerBound + 2), let matrix = bigEndian16(at: content.lowerBound + 4)
        else { return false }
        return ([1, 2, 22].contains(primaries) || (4...12).contains(primaries))
            && ([1, 2].contains(transfer) || (4...18).contains(transfer))
            && ([0, 1, 2].contains(matrix) || (4...14).contains(matrix))
    }
}
#endif
