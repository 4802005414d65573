#if Server
package import EaselCore

/// What a URL asks for: one property for each option. The defaults are imgproxy's.
public struct ProcessingOptions: Sendable, Hashable {
    // MARK: Size

    package var resizing = Resizing.fit
    /// The width of the result before `dpr`; 0 derives it from the height. `nil` if the URL has none, so that a client
    /// hint applies.
    package var width: Int?
    package var height: Int?
    package var minimumWidth = 0
    package var minimumHeight = 0
    package var zoomWidth = 1.0
    package var zoomHeight = 1.0
    /// The pixels per unit of the sizes. `nil` if the URL has none, so that a client hint applies.
    package var pixelRatio: Double?
    package var enlarges = false
    package var extends = Extension()
    package var extendsAspectRatio = Extension()
    package var gravity = Gravity(.center)
    package var crop: Crop?
    package var trim: Trim?
    package var padding = Padding()

    // MARK: Orientation

    package var appliesOrientation = true
    /// Degrees, clockwise: 0, 90, 180 or 270.
    package var rotation = 0
    package var flipsHorizontally = false
    package var flipsVertically = false

    // MARK: Colors

    package var background: ImageColor?
    package var backgroundAlpha = 1.0
    /// From -255 to 255.
    package var brightness = 0
    package var contrast = 1.0
    package var saturation = 1.0
    /// Four rows of four factors and an offset.
    package var colorMatrix: [Double]?
    package var blur = 0.0
    package var sharpen = 0.0
    package var pixelate = 0
    package var watermark: Watermark?
    package var colorSpace: ColorSpace?

    // MARK: Encoding

    /// `nil` for a format that the client accepts.
    package var format: ImageFormat?
    /// From 1 to 100; `nil` for that of the format.
    package var quality: Int?
    package var formatQualities: [ImageFormat: Int] = [:]
    package var maximumByteCount: Int?
    package var isProgressive: Bool?
    package var hasFullChroma = false
    package var stripsMetadata = true
    package var keepsCopyright = true
    package var stripsColorProfile = true

    // MARK: Source

    package var page = 0
    package var isAnimationDisabled = false
    package var isRaw = false
    package var skippedFormats: Set<ImageFormat> = []
    /// The image to use if the source fails, and its URL.
    package var fallback: SourceLocation?
    package var fallbackSource: String?
    package var limits = LimitOptions()

    // MARK: Response

    package var cacheBuster = ""
    /// The last second at which the URL is valid, since 1970.
    package var expires: Int?
    package var filename: String?
    /// Whether a browser saves the image instead of showing it; `nil` for the server's default.
    package var isAttachment: Bool?

    /// Creates the options of a URL that has none.
    public init() {}
}

extension ProcessingOptions {
    /// How an image with another aspect ratio than the requested size fits it.
    package enum Resizing: String, Sendable, Hashable, CaseIterable {
        case fit
        case fill
        case fillDown = "fill-down"
        case force
        case auto
    }

    /// The part of an image that is kept when it is cut, or the position on a larger area.
    package struct Gravity: Sendable, Hashable {
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case north = "no"
            case south = "so"
            case east = "ea"
            case west = "we"
            case northEast = "noea"
            case northWest = "nowe"
            case southEast = "soea"
            case southWest = "sowe"
            case center = "ce"
            case focusPoint = "fp"
            case smart = "sm"
        }

        package var kind: Kind
        /// The offset: pixels from 1 on, below that a share of the width. The coordinate of a focus point.
        package var x = 0.0
        package var y = 0.0

        package init(_ kind: Kind, x: Double = 0, y: Double = 0) {
            self.kind = kind
            self.x = x
            self.y = y
        }
    }

    /// A larger area for the result.
    package struct Extension: Sendable, Hashable {
        package var isEnabled = false
        package var gravity = Gravity(.center)
    }

    /// The area of the source to use. A length below 1 is a share, and 0 is all of it.
    package struct Crop: Sendable, Hashable {
        package var width = 0.0
        package var height = 0.0
        /// `nil` for that of the options.
        package var gravity: Gravity?
    }

    /// The border to cut away.
    package struct Trim: Sendable, Hashable {
        package var tolerance = 10.0
        /// `nil` for that of the pixel at the top left.
        package var color: ImageColor?
        package var isEqualHorizontally = false
        package var isEqualVertically = false
    }

    /// Edges around the result, in pixels before `dpr`.
    package struct Padding: Sendable, Hashable {
        package var top = 0
        package var right = 0
        package var bottom = 0
        package var left = 0
    }

    /// The placement of the server's watermark.
    package struct Watermark: Sendable, Hashable {
        package var opacity = 1.0
        package var gravity = Gravity(.center)
        /// Whether it covers the image in tiles, with the offsets of `gravity` between them.
        package var isTiled = false
        /// Its size relative to the result; 0 for its own.
        package var scale = 0.0
    }

    /// Limits that replace those of the server.
    package struct LimitOptions: Sendable, Hashable {
        package var sourcePixels: Int?
        package var sourceBytes: Int?
        package var frames: Int?
        package var framePixels: Int?
        package var resultSide: Int?
    }
}
#endif
