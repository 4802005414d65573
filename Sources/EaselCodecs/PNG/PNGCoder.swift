public import EaselCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Reads PNG and animated PNG of every depth and colour type, and writes PNG.
///
/// The reader is Easel's own: every length is checked, every header and data checksum is verified, and nothing is
/// allocated before the limits are asked. A picture whose data is cut off is an error even where `allowsPartial` is set:
/// the data is inflated whole or not at all. Frames of a cut-off animation that are whole are delivered then.
public struct PNGCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `png`; headers of animated files say `apng`.
    public var format: ImageFormat { .png }

    /// Reads the chunks. Profile names and the durations of all frames are there; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is not a PNG, is cut off before its data, or contradicts itself.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        let bytes = data.span
        let file = try PNGFile(bytes)
        return Self.header(of: file, hasAlpha: PNGRowExpander(file, in: bytes).hasAlpha, in: bytes)
    }

    /// Decodes the picture, or one frame of an animation composited as shown.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for damaged or cut-off data, `.unsupported` for a
    ///   frame that is not there, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let bytes = data.span
        let file = try PNGFile(bytes)
        let raster = PNGRaster(file, in: bytes)
        let header = Self.header(of: file, hasAlpha: raster.expander.hasAlpha, in: bytes)
        try options.check(header)
        try options.checkCancellation()
        guard file.isAnimated else {
            let pixels = try raster.pixels(
                of: file.imageChunks, in: bytes, size: file.header.size, isCancelled: options.isCancelled)
            return try DecodedImage(stored: pixels, header: header, options: options)
        }
        if file.isCutOff, !options.allowsPartial { throw .badData("The animated PNG is cut off before its end.") }
        let pixels = try raster.composited(upTo: options.frame, in: bytes, isCancelled: options.isCancelled)
        return try DecodedImage(stored: pixels, header: header, options: options, isPartial: file.isCutOff)
    }

    private static func header(of file: PNGFile, hasAlpha: Bool, in bytes: Span<UInt8>) -> ImageHeader {
        var header = ImageHeader(
            format: file.isAnimated ? .apng : .png, storedSize: file.header.size, hasAlpha: hasAlpha,
            bitDepth: file.header.bitDepth, profileName: profileName(file.profile, in: bytes))
        if let exif = file.exif { header.orientation = ImageOrientation(exif: bytes.extracting(exif)) }
        guard file.isAnimated else { return header }
        header.frameCount = file.frames.count
        header.loopCount = file.loopCount
        header.frameDurations = file.frames.map(\.duration)
        header.hasAlpha = hasAlpha || !file.firstFrameStaysOpaque
        return header
    }

    /// The name in the profile; where it has none, the one that the chunk gives it.
    private static func profileName(_ range: Range<Int>?, in bytes: Span<UInt8>) -> String? {
        guard let range, let end = range.prefix(80).first(where: { bytes[$0] == 0 }), end + 2 <= range.upperBound else {
            return nil
        }
        let name = String(decoding: (range.lowerBound..<end).map { bytes[$0] }, as: UTF8.self)
        let profile = PNGInflate.profile(bytes.extracting((end + 2)..<range.upperBound), limit: 8 << 20)
        return profile.flatMap { ICCProfileName.read(from: $0.span) } ?? (name.isEmpty ? nil : name)
    }
}
