#if !GTK
// Without the package trait GTK, these declarations let the compiler report the missing trait.

/// A stand-in for GTK's type.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public struct GtkWidget {}

/// A stand-in for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_init() {}

/// A stand-in for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_picture_new() -> UnsafeMutablePointer<GtkWidget>? { nil }

/// The integration that runs the main actor on GLib's main loop.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public enum MainLoop {
    /// Attaches the main actor to GLib's main loop.
    public static func attach() {}
}

/// A GTK widget that shows images.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public struct ImageWidget {
    /// Creates an image widget for `widget`.
    public init<Widget>(_ widget: Widget) {}
}

/// A factory that creates the cells of lists and grids.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public enum ImageCellFactory {
    /// Returns a cell of one size.
    public static func image(width: Int, height: Int) -> ImageWidget? { nil }

    /// Returns a factory of cells that show images of one size.
    public static func make(
        width: Int, height: Int, manager: ImageManager = .shared,
        request: (_ item: OpaquePointer?, _ position: Int) -> ImageRequest?
    ) -> OpaquePointer? { nil }
}
#endif
