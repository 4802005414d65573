// The part of Image I/O that Easel uses. No function here reads an image.
@_exported public import CoreGraphics

public enum CGImagePropertyOrientation: UInt32, Sendable {
    case up = 1
    case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left
}

public enum CGImageSourceStatus: Int32, Sendable {
    case statusUnexpectedEOF = -5
    case statusInvalidData = -4
    case statusUnknownType = -3
    case statusReadingHeader = -2
    case statusIncomplete = -1
    case statusComplete = 0
}

public final class CGImageSource {}
public final class CGImageDestination {}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { nil }
public func CGImageSourceCreateIncremental(_ options: CFDictionary?) -> CGImageSource { CGImageSource() }
public func CGImageSourceUpdateData(_ source: CGImageSource, _ data: CFData, _ final: Bool) {}
public func CGImageSourceGetType(_ source: CGImageSource) -> CFString? { nil }
public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 0 }
public func CGImageSourceGetPrimaryImageIndex(_ source: CGImageSource) -> Int { 0 }
public func CGImageSourceGetStatusAtIndex(_ source: CGImageSource, _ index: Int) -> CGImageSourceStatus {
    .statusComplete
}
public func CGImageSourceCopyProperties(_ source: CGImageSource, _ options: CFDictionary?) -> CFDictionary? { nil }
public func CGImageSourceCopyPropertiesAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CFDictionary? { nil }
public func CGImageSourceCreateImageAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }
public func CGImageSourceCreateThumbnailAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? { nil }

public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? { nil }
public func CGImageDestinationAddImage(
    _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {}
public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { false }

public nonisolated(unsafe) let kCGImageSourceShouldCache = "kCGImageSourceShouldCache" as CFString
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageAlways =
    "kCGImageSourceCreateThumbnailFromImageAlways" as CFString
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailWithTransform =
    "kCGImageSourceCreateThumbnailWithTransform" as CFString
public nonisolated(unsafe) let kCGImageSourceThumbnailMaxPixelSize = "kCGImageSourceThumbnailMaxPixelSize" as CFString
public nonisolated(unsafe) let kCGImagePropertyPixelWidth = "kCGImagePropertyPixelWidth" as CFString
public nonisolated(unsafe) let kCGImagePropertyPixelHeight = "kCGImagePropertyPixelHeight" as CFString
public nonisolated(unsafe) let kCGImagePropertyOrientation = "kCGImagePropertyOrientation" as CFString
public nonisolated(unsafe) let kCGImagePropertyHasAlpha = "kCGImagePropertyHasAlpha" as CFString
public nonisolated(unsafe) let kCGImagePropertyDepth = "kCGImagePropertyDepth" as CFString
public nonisolated(unsafe) let kCGImagePropertyProfileName = "kCGImagePropertyProfileName" as CFString
public nonisolated(unsafe) let kCGImagePropertyGIFDictionary = "kCGImagePropertyGIFDictionary" as CFString
public nonisolated(unsafe) let kCGImagePropertyGIFDelayTime = "kCGImagePropertyGIFDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyGIFUnclampedDelayTime =
    "kCGImagePropertyGIFUnclampedDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyGIFLoopCount = "kCGImagePropertyGIFLoopCount" as CFString
public nonisolated(unsafe) let kCGImagePropertyPNGDictionary = "kCGImagePropertyPNGDictionary" as CFString
public nonisolated(unsafe) let kCGImagePropertyAPNGDelayTime = "kCGImagePropertyAPNGDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyAPNGUnclampedDelayTime =
    "kCGImagePropertyAPNGUnclampedDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyAPNGLoopCount = "kCGImagePropertyAPNGLoopCount" as CFString
public nonisolated(unsafe) let kCGImagePropertyWebPDictionary = "kCGImagePropertyWebPDictionary" as CFString
public nonisolated(unsafe) let kCGImagePropertyWebPDelayTime = "kCGImagePropertyWebPDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyWebPUnclampedDelayTime =
    "kCGImagePropertyWebPUnclampedDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyWebPLoopCount = "kCGImagePropertyWebPLoopCount" as CFString
public nonisolated(unsafe) let kCGImagePropertyHEICSDictionary = "kCGImagePropertyHEICSDictionary" as CFString
public nonisolated(unsafe) let kCGImagePropertyHEICSDelayTime = "kCGImagePropertyHEICSDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyHEICSUnclampedDelayTime =
    "kCGImagePropertyHEICSUnclampedDelayTime" as CFString
public nonisolated(unsafe) let kCGImagePropertyHEICSLoopCount = "kCGImagePropertyHEICSLoopCount" as CFString
public nonisolated(unsafe) let kCGImageDestinationBackgroundColor = "kCGImageDestinationBackgroundColor" as CFString
public nonisolated(unsafe) let kCGImageDestinationLossyCompressionQuality =
    "kCGImageDestinationLossyCompressionQuality" as CFString
public nonisolated(unsafe) let kCGImagePropertyJFIFDictionary = "kCGImagePropertyJFIFDictionary" as CFString
public nonisolated(unsafe) let kCGImagePropertyJFIFIsProgressive = "kCGImagePropertyJFIFIsProgressive" as CFString
