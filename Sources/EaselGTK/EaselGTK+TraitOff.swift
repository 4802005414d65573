#if !GTK
// What a program with GTK begins with, for the compiler to name the package trait where that is off.

/// Stands for GTK's type.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public struct GtkWidget {}

/// Stands for GTK's type.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public struct GtkApplication {}

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_init() {}

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_application_new<Name, Flags>(
    _ identifier: Name, _ flags: Flags
) -> UnsafeMutablePointer<GtkApplication>? { nil }

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_window_new() -> UnsafeMutablePointer<GtkWidget>? { nil }

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_picture_new() -> UnsafeMutablePointer<GtkWidget>? { nil }

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_image_new() -> UnsafeMutablePointer<GtkWidget>? { nil }

/// Stands for GTK's function.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public func gtk_button_new() -> UnsafeMutablePointer<GtkWidget>? { nil }

/// Lets GLib's main loop run the main actor.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public enum MainLoop {
    /// Attaches the main actor to GLib's main loop.
    public static func attach() {}
}

/// A GTK widget that shows images.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public struct ImageWidget {
    /// Images in `widget`.
    public init<Widget>(_ widget: Widget) {}
}

/// Makes the cells of lists and grids.
@available(*, unavailable, message: "To use it, enable the package trait GTK, which links GTK 4.")
public enum ImageCellFactory {
    /// A cell of one size.
    public static func image(width: Int, height: Int) -> ImageWidget? { nil }

    /// A factory whose cells show images of one size.
    public static func make(
        width: Int, height: Int, manager: ImageManager = .shared,
        request: (_ item: OpaquePointer?, _ position: Int) -> ImageRequest?
    ) -> OpaquePointer? { nil }
}
#endif
