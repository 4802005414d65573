import EaselCore

extension ImageOrientation {
    /// The orientation in a block of EXIF. `.up` where there is none, or where the block is damaged: a picture is not
    /// refused for its EXIF.
    init(exif bytes: Span<UInt8>) {
        let value = EXIF.entry(EXIF.orientation, in: bytes).flatMap { $0.number(in: bytes) }
        self = value.flatMap(ImageOrientation.init(rawValue:)) ?? .up
    }
}
