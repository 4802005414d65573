extension ColorDescription {
    /// What a block of EXIF says of the colours: sRGB, or Adobe RGB as cameras write it, uncalibrated with the index `R03`
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
