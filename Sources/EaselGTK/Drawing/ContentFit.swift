#if GTK
import CGTK
public import EaselCore

/// How an image fits a view of another aspect ratio, like `GtkContentFit` and CSS's `object-fit`.
public enum ContentFit: Sendable, Hashable, CaseIterable {
    /// Stretches the image to the view.
    case fill
    /// Shows the whole image as large as possible.
    case contain
    /// Fills the view and crops the rest.
    case cover
    /// Like `contain`, but never enlarges the image.
    case scaleDown

    /// Returns the rectangle of an image in a view, in points.
    func rectangle(of image: Extent, in view: Extent) -> Rectangle {
        guard self != .fill, image.width > 0, image.height > 0 else { return Rectangle(size: view) }
        let horizontalScale = view.width / image.width
        let verticalScale = view.height / image.height
        let factor =
            switch self {
            case .cover: max(horizontalScale, verticalScale)
            case .scaleDown: min(horizontalScale, verticalScale, 1)
            case .contain, .fill: min(horizontalScale, verticalScale)
            }
        return Rectangle(Extent(width: image.width * factor, height: image.height * factor), centeredIn: view)
    }

    /// The content mode for decoding.
    var decoding: TargetSize.ContentMode {
        switch self {
        case .fill: .fill
        case .contain, .scaleDown: .aspectFit
        case .cover: .aspectFill
        }
    }

    init(_ fit: GtkContentFit) { self = Self.allCases.first { $0.gtk == fit } ?? .contain }

    var gtk: GtkContentFit {
        switch self {
        case .fill: GTK_CONTENT_FIT_FILL
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .cover: GTK_CONTENT_FIT_COVER
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        }
    }
}

struct Extent: Equatable {
    var width: Double
    var height: Double

    var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// A rectangle in points, from the top left.
struct Rectangle: Equatable {
    var x = 0.0
    var y = 0.0
    var size: Extent

    var graphene: graphene_rect_t {
        graphene_rect_t(
            origin: graphene_point_t(x: Float(x), y: Float(y)),
            size: graphene_size_t(width: Float(size.width), height: Float(size.height)))
    }
}

extension Rectangle {
    init(_ size: Extent, centeredIn view: Extent) {
        self.init(x: (view.width - size.width) / 2, y: (view.height - size.height) / 2, size: size)
    }
}

/// A pair of colours for light and dark windows.
public struct AdaptiveColor: Sendable, Hashable {
    /// The colour for windows with dark text.
    public var light: ImageColor
    /// The colour for windows with light text.
    public var dark: ImageColor

    /// Creates a pair of colours.
    public init(light: ImageColor, dark: ImageColor) {
        self.light = light
        self.dark = dark
    }

    /// Creates a pair with one colour for both.
    public init(_ color: ImageColor) { self.init(light: color, dark: color) }

    /// Transparent, which shows what is beneath the view.
    public static let clear = AdaptiveColor(.clear)
    /// A subtle grey, slightly different from the window's background.
    public static let placeholder = AdaptiveColor(light: ImageColor(0xE4E4E6), dark: ImageColor(0x3A3A3E))

    /// Returns the colour for a widget: the dark one if its text is light. GTK has no other query that works for all
    /// themes.
    @MainActor
    func resolved(for widget: UnsafeMutablePointer<GtkWidget>) -> ImageColor {
        guard light != dark else { return light }
        let text = foreground(of: widget)
        return 0.299 * text.red + 0.587 * text.green + 0.114 * text.blue > 0.5 ? dark : light
    }
}

@MainActor
func foreground(of widget: UnsafeMutablePointer<GtkWidget>) -> GdkRGBA {
    var color = GdkRGBA()
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &color)
    return color
}

extension GdkRGBA {
    init(_ color: ImageColor) {
        self.init(
            red: Float(color.red) / 255, green: Float(color.green) / 255, blue: Float(color.blue) / 255,
            alpha: Float(color.alpha) / 255)
    }
}
#endif
