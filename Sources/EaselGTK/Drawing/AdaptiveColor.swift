#if GTK
import CGTK
public import EaselCore

/// A colour for light windows, and one for dark ones.
public struct AdaptiveColor: Sendable, Hashable {
    /// Where text is dark.
    public var light: ImageColor
    /// Where text is light.
    public var dark: ImageColor

    /// A colour for each.
    public init(light: ImageColor, dark: ImageColor) {
        self.light = light
        self.dark = dark
    }

    /// One colour for both.
    public init(_ color: ImageColor) { self.init(light: color, dark: color) }

    /// Nothing: what is behind the view.
    public static let clear = AdaptiveColor(.clear)
    /// A quiet grey, a step from the window's own.
    public static let placeholder = AdaptiveColor(light: ImageColor(0xE4E4E6), dark: ImageColor(0x3A3A3E))

    /// The one for a widget: dark where its text is light, whichever theme that comes from. GTK has no other way to ask that
    /// holds for all themes.
    @MainActor
    func resolved(for widget: UnsafeMutablePointer<GtkWidget>) -> ImageColor {
        guard light != dark else { return light }
        let text = foreground(of: widget)
        return 0.299 * text.red + 0.587 * text.green + 0.114 * text.blue > 0.5 ? dark : light
    }
}

/// The colour of a widget's text.
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
