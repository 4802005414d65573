#if canImport(ImageIO)
import CoreGraphics
import EaselCore
import Foundation
import ImageIO

/// One file as Image I/O reads it.
struct SystemImageSource {
    let source: CGImageSource
    /// The still image of the file, or the first frame.
    var primaryIndex: Int { CGImageSourceGetPrimaryImageIndex(source) }
    var count: Int { CGImageSourceGetCount(source) }

    init(_ source: CGImageSource) {
        self.source = source
    }

    /// - Throws: `ImageError.badData` for what is no image that the system knows.
    init(_ data: Data) throws(ImageError) {
        // Nothing is cached there: what is decoded is copied into a buffer of Easel's own at once.
        let options = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(data as CFData, options), CGImageSourceGetCount(source) > 0
        else { throw .badData("This is no image that the system can read.") }
        self.init(source)
    }

    /// What the file says of itself, or `nil` where its header has not come yet.
    func header(as format: ImageFormat) -> ImageHeader? {
        let index = primaryIndex
        let properties = properties(of: index)
        guard let width = properties[kCGImagePropertyPixelWidth] as? Int,
            let height = properties[kCGImagePropertyPixelHeight] as? Int
        else { return nil }
        let orientation = (properties[kCGImagePropertyOrientation] as? Int).flatMap(ImageOrientation.init(rawValue:))
        var header = ImageHeader(
            format: self.format ?? format, storedSize: PixelSize(width, height), orientation: orientation ?? .up,
            hasAlpha: properties[kCGImagePropertyHasAlpha] as? Bool ?? false,
            bitDepth: properties[kCGImagePropertyDepth] as? Int ?? 8,
            profileName: properties[kCGImagePropertyProfileName] as? String)
        if let timing = SystemAnimationTiming(self) {
            header.frameCount = timing.durations.count
            header.frameDurations = timing.durations
            header.loopCount = timing.loopCount
        }
        return header
    }

    /// The stored pixels of one frame, upright, at the size that is asked for.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, and what drawing throws.
    func image(_ index: Int, _ header: ImageHeader, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.checkCancellation()
        let size = options.targetSize.size(for: header.size)
        guard let image = cgImage(index, header, size) else { throw .badData("The image is damaged or cut off.") }
        try options.checkCancellation()
        let stored = try PixelBuffer(
            image, size: header.orientation.upright(size), colorSpace: options.colorSpace)
        let pixels = try stored.upright(from: header.orientation, isCancelled: options.isCancelled)
        let metadata = ImageMetadata(
            header: header, frameIndex: header.frameCount > 1 ? index : 0, isPartial: !isWhole(index),
            isThumbnail: size != header.size, colorSpace: options.colorSpace)
        return DecodedImage(pixels: pixels, metadata: metadata)
    }

    /// Whether all of a frame has come, and the file does not end early.
    func isWhole(_ index: Int) -> Bool {
        CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
    }

    func properties(of index: Int) -> [CFString: Any] {
        CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] ?? [:]
    }

    /// Stored as it is, or where less is asked for, reduced while it is decoded, as its file lies: turning it is Easel's.
    private func cgImage(_ index: Int, _ header: ImageHeader, _ size: PixelSize) -> CGImage? {
        guard size != header.size else {
            return CGImageSourceCreateImageAtIndex(source, index, [kCGImageSourceShouldCache: false] as CFDictionary)
        }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: false,
            kCGImageSourceThumbnailMaxPixelSize: largestSide(header, size),
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary)
    }

    /// A thumbnail keeps its proportions: both its sides have to be as long as what is asked for.
    private func largestSide(_ header: ImageHeader, _ size: PixelSize) -> Int {
        let full = header.size
        let factor = max(Double(size.width) / Double(full.width), Double(size.height) / Double(full.height))
        return Int((Double(max(full.width, full.height)) * factor).rounded(.up))
    }

    /// What the content is, where Easel has a name for it.
    private var format: ImageFormat? {
        (CGImageSourceGetType(source) as String?).flatMap(ImageFormat.init(typeIdentifier:))
    }
}
#endif
