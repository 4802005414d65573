import EaselCore

/// What the numbers of a decoded picture mean, as its file says.
enum EncodedColor: Hashable {
    /// sRGB, said or taken for granted.
    case sRGB
    /// The embedded ICC profile.
    case profile([UInt8])
    /// The code points of ITU-T H.273 for primaries and transfer: the `nclx` of AVIF and HEIF.
    case codePoints(primaries: Int, transfer: Int)

    /// What code points name, with those that say nothing taken as sRGB.
    init(primaries: Int, transfer: Int) {
        let unspecified = 2
        let isBT709 = primaries == 1 || primaries == unspecified
        // The transfer function of BT.709 is that of cameras: files that name it were made on displays of sRGB.
        let isDisplay = [1, 6, 13, unspecified].contains(transfer)
        self = isBT709 && isDisplay ? .sRGB : .codePoints(primaries: primaries, transfer: transfer)
    }
}

extension DecodedImage {
    /// The steps that a decoder of a colour-managed format ends with: `init(stored:header:options:isPartial:)`, told what
    /// the pixels' numbers mean. They are kept as they are.
    static func finish(
        _ stored: PixelBuffer, color: EncodedColor, header: ImageHeader, options: DecodeOptions, isPartial: Bool = false
    ) throws(ImageError) -> DecodedImage {
        try DecodedImage(stored: stored, header: header, options: options, isPartial: isPartial)
    }
}
