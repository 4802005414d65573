#if GTK
import CGTK
public import EaselCore

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

/// Returns the colour of a widget's text.
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
