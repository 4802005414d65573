#if canImport(ImageIO)
import CoreGraphics
import EaselCore
import Foundation
import ImageIO

struct SystemImageSource {
    let source: CGImageSource
    /// The index of the main image, or of the first frame.
    var primaryIndex: Int { CGImageSourceGetPrimaryImageIndex(source) }
    var count: Int { CGImageSourceGetCount(source) }

    init(_ source: CGImageSource) { self.source = source }

    /// - Throws: `ImageError.badData` if the system does not recognise the image.
    init(_ data: Data) throws(ImageError) {
        // Image I/O need not cache, because decoded pixels are copied into a buffer immediately.
        let options = [kCGImageSourceShouldCache: false] as CFDictionary
        guard let source = CGImageSourceCreateWithData(data as CFData, options), CGImageSourceGetCount(source) > 0
        else { throw .badData("The system does not recognise this image format.") }
        self.init(source)
    }

    /// Returns the header of the file, or `nil` if it is not yet complete.
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

    /// Returns the pixels of a frame, upright, at the requested size.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, and the errors of drawing.
    func image(_ index: Int, _ header: ImageHeader, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.checkCancellation()
        let size = options.targetSize.size(for: header.size)
        guard let image = cgImage(index, header, size) else { throw .badData("The image is damaged or truncated.") }
        try options.checkCancellation()
        let stored = try PixelBuffer(
            image, size: header.orientation.upright(size), colorSpace: options.colorSpace)
        let pixels = try stored.upright(from: header.orientation, isCancelled: options.isCancelled)
        let metadata = ImageMetadata(
            header: header, frameIndex: header.frameCount > 1 ? index : 0, isPartial: !isComplete(index),
            isThumbnail: size != header.size, colorSpace: options.colorSpace)
        return DecodedImage(pixels: pixels, metadata: metadata)
    }

    /// Returns whether a frame is complete and the file is not truncated.
    func isComplete(_ index: Int) -> Bool {
        CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
    }

    func properties(of index: Int) -> [CFString: Any] {
        CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] ?? [:]
    }

    /// Returns the stored image, reduced during decoding if a smaller size is requested. Orientation is applied later.
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

    /// Returns the longest side of a thumbnail whose sides are both large enough. A thumbnail keeps its aspect ratio.
    private func largestSide(_ header: ImageHeader, _ size: PixelSize) -> Int {
        let full = header.size
        let factor = max(Double(size.width) / Double(full.width), Double(size.height) / Double(full.height))
        return Int((Double(max(full.width, full.height)) * factor).rounded(.up))
    }

    /// The format of the content, if it has a name.
    private var format: ImageFormat? {
        (CGImageSourceGetType(source) as String?).flatMap(ImageFormat.init(typeIdentifier:))
    }
}

/// The frame durations and loop count of an animation, as reported by Image I/O.
struct SystemAnimationTiming {
    let durations: [Duration]
    /// 0 is forever.
    let loopCount: Int

    private typealias Keys = (dictionary: CFString, unclampedDelay: CFString, delay: CFString, loopCount: CFString)

    /// Returns `nil` for a single image, and for several that are not an animation, such as the sizes of an icon.
    init?(_ source: SystemImageSource) {
        guard source.count > 1, case let first = source.properties(of: 0),
            let keys = Self.keys.first(where: { first[$0.dictionary] != nil })
        else { return nil }
        durations = (0..<source.count).map { index in
            let frame = source.properties(of: index)[keys.dictionary] as? [CFString: Any] ?? [:]
            return Self.effectiveDuration(seconds: (frame[keys.unclampedDelay] ?? frame[keys.delay]) as? Double ?? 0)
        }
        let file = CGImageSourceCopyProperties(source.source, nil) as? [CFString: Any] ?? [:]
        loopCount = (file[keys.dictionary] as? [CFString: Any])?[keys.loopCount] as? Int ?? 1
    }

    /// Returns the effective duration of a stored delay: below 11 ms it is 100 ms, as in browsers.
    static func effectiveDuration(seconds: Double) -> Duration {
        seconds.isFinite && seconds >= 0.011 && seconds < 86_400 ? .seconds(seconds) : .milliseconds(100)
    }

    /// Computed on each use, because the system's constants are not known to be thread-safe.
    private static var keys: [Keys] {
        [
            (
                kCGImagePropertyGIFDictionary, kCGImagePropertyGIFUnclampedDelayTime, kCGImagePropertyGIFDelayTime,
                kCGImagePropertyGIFLoopCount
            ),
            (
                kCGImagePropertyPNGDictionary, kCGImagePropertyAPNGUnclampedDelayTime, kCGImagePropertyAPNGDelayTime,
                kCGImagePropertyAPNGLoopCount
            ),
            (
                kCGImagePropertyWebPDictionary, kCGImagePropertyWebPUnclampedDelayTime, kCGImagePropertyWebPDelayTime,
                kCGImagePropertyWebPLoopCount
            ),
            (
                kCGImagePropertyHEICSDictionary, kCGImagePropertyHEICSUnclampedDelayTime,
                kCGImagePropertyHEICSDelayTime, kCGImagePropertyHEICSLoopCount
            ),
        ]
    }
}
#endif
