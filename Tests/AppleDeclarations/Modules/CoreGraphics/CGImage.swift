// An image that keeps its source data, for tests to inspect.

public enum CGImageAlphaInfo: UInt32, Sendable {
    case none, premultipliedLast, premultipliedFirst, last, first, noneSkipLast, noneSkipFirst, alphaOnly
}

public struct CGBitmapInfo: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
}

public enum CGColorRenderingIntent: Int32, Sendable {
    case defaultIntent, absoluteColorimetric, relativeColorimetric, perceptual, saturation
}

public final class CGColorSpace: Sendable {
    private let text: String

    public init?(name: CFString) { text = String(describing: name) }

    public var name: CFString? { text as CFString }

    public nonisolated(unsafe) static let sRGB: CFString = "kCGColorSpaceSRGB" as CFString
    public nonisolated(unsafe) static let displayP3: CFString = "kCGColorSpaceDisplayP3" as CFString
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
    CGColorSpace(name: "kCGColorSpaceDeviceRGB" as CFString).unsafelyUnwrapped
}

public final class CGColor: Sendable {
    public init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}

public typealias CGDataProviderReleaseDataCallback =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafeRawPointer, Int
    ) -> Void

public final class CGDataProvider {
    public let address: UnsafeRawPointer
    private let size: Int
    private let info: UnsafeMutableRawPointer?
    private let release: CGDataProviderReleaseDataCallback

    public init?(
        dataInfo info: UnsafeMutableRawPointer?, data: UnsafeRawPointer, size: Int,
        releaseData: CGDataProviderReleaseDataCallback
    ) {
        self.info = info
        address = data
        self.size = size
        release = releaseData
    }

    deinit { release(info, address, size) }
}

public final class CGImage {
    public let width: Int
    public let height: Int
    public let bytesPerRow: Int
    public let bitmapInfo: CGBitmapInfo
    public let colorSpace: CGColorSpace?
    public let dataProvider: CGDataProvider?

    public var alphaInfo: CGImageAlphaInfo {
        CGImageAlphaInfo(rawValue: bitmapInfo.rawValue & CGBitmapInfo.alphaInfoMask.rawValue) ?? .none
    }

    public init?(
        width: Int, height: Int, bitsPerComponent: Int, bitsPerPixel: Int, bytesPerRow: Int, space: CGColorSpace,
        bitmapInfo: CGBitmapInfo, provider: CGDataProvider, decode: UnsafePointer<CGFloat>?,
        shouldInterpolate: Bool, intent: CGColorRenderingIntent
    ) {
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.bitmapInfo = bitmapInfo
        colorSpace = space
        dataProvider = provider
    }
}
