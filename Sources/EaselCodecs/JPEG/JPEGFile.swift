import EaselCore

/// A JPEG whose segments up to the first scan were read.
///
/// libjpeg-turbo reads the header of a file that Easel's reader does not decode, and it decodes what the reader leaves
/// to it.
struct JPEGFile {
    private let bytes: UnsafeBufferPointer<UInt8>
    let metadata: JPEGMetadata
    /// The size, not turned upright.
    let size: PixelSize
    private let componentCount: Int
    /// Whether the first scan has the mean of each block with sufficient precision.
    let hasMeanScan: Bool
    /// The tables and the first scan for Easel's reader; `nil` for a file that libjpeg-turbo has to decode.
    let start: (markers: JPEGMarkers, scan: JPEGScan)?

    /// Reads the segments. `bytes` must stay valid for the lifetime of this value.
    ///
    /// - Throws: `ImageError.badData`; `.tooLarge` for a side beyond libjpeg's limit; `.unsupported` for a kind of JPEG
    ///   that libjpeg does not decode.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        let file = Span(_unsafeElements: bytes)
        self.bytes = bytes
        metadata = try JPEGMetadata(file)
        if var markers = try? JPEGMarkers(file), let scan = try? markers.readScan(in: file), let frame = markers.frame {
            size = frame.size
            componentCount = frame.components.count
            hasMeanScan = scan.hasMeans(of: frame)
            start = (markers, scan)
        } else {
            let decompressor = try JPEGDecompressor(bytes)
            size = decompressor.size
            componentCount = decompressor.componentCount
            hasMeanScan = decompressor.hasMeanScan
            start = nil
        }
    }

    /// Whether rows are C, M, Y, K, which neither decoder converts.
    var isCMYK: Bool { componentCount == 4 }

    /// Returns the image header without a gain map.
    func header() -> ImageHeader {
        let file = Span(_unsafeElements: bytes)
        var header = ImageHeader(format: .jpeg, storedSize: size)
        if let exif = metadata.exif { header.orientation = ImageOrientation(exif: file.extracting(exif)) }
        header.profileName = metadata.profile(in: file).flatMap { ICCProfileName.read(from: $0.span) }
        return header
    }

    /// Returns the color description: the ICC profile, else EXIF's color space. Meaningless for CMYK without a profile,
    /// which sRGB does not describe.
    func colors() -> ColorDescription {
        let file = Span(_unsafeElements: bytes)
        let components: ICCProfile.Components = componentCount == 1 ? .gray : isCMYK ? .cmyk : .rgb
        if let profile = metadata.profile(in: file).flatMap({ ICCProfile($0, for: components) }) {
            return .profile(profile)
        }
        guard components == .rgb, let exif = metadata.exif else { return .sRGB }
        return ColorDescription(exif: file.extracting(exif)) ?? .sRGB
    }

    /// Returns the conversion of CMYK, or `nil` for other colors. With Adobe's marker, 255 is no ink.
    func inks(_ colors: ColorDescription, to space: ColorSpace) -> CMYK? {
        isCMYK ? CMYK(colors, isInverted: metadata.hasAdobeMarker, to: space) : nil
    }

    /// Decodes the image at a fraction of its size.
    ///
    /// - Returns: the pixels, and a description of missing or invalid data.
    func pixels(
        _ scale: JPEGScale, _ inks: CMYK?, isCancelled: () -> Bool
    ) throws(ImageError) -> (pixels: PixelBuffer, damage: String?) {
        let file = Span(_unsafeElements: bytes)
        if let start,
            let pixels = try JPEGReader.pixels(
                of: file, start.markers, start.scan, scale, inks, isCancelled: isCancelled)
        {
            return (pixels, nil)
        }
        let decompressor = try JPEGDecompressor(bytes)
        let pixels = try decompressor.pixels(scale, inks, isCancelled: isCancelled)
        return (pixels, decompressor.isDamaged ? decompressor.message : nil)
    }
}
