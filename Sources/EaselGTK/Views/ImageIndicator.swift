#if GTK
public import CGTK
public import EaselCore

/// How a widget shows that it is loading.
public enum ImageIndicator {
    /// Not at all.
    case none
    /// A part of a ring goes round, in the image itself.
    case spinner
    /// A ring closes while the bytes come, in the image itself. It redraws only when some have come.
    case progressRing
    /// Any other: an `OverlayIndicator` over the image, say.
    case custom(any LoadIndicator)
}

/// Draws a spinner or a ring where the image is.
final class PaintedIndicator: LoadIndicator {
    private weak var target: WidgetTarget?
    private let isRing: Bool

    init(_ target: WidgetTarget, isRing: Bool) {
        self.target = target
        self.isRing = isRing
    }

    func start() {
        target?.painting.indication = isRing ? .ring(fraction: 0) : .spinner(since: FrameTime.now())
        target?.tickIfNeeded()
    }

    func stop() { target?.painting.indication = nil }

    func update(fraction: Double) {
        if isRing { target?.painting.indication = .ring(fraction: fraction) }
    }
}

/// Shows a widget over a view while that loads: a `GtkSpinner` turns, a `GtkProgressBar` fills, any other is just there. The
/// view has to be inside of a `GtkOverlay`.
public final class OverlayIndicator: LoadIndicator {
    /// What is shown.
    public let widget: UnsafeMutablePointer<GtkWidget>
    private let overlay: OpaquePointer?

    /// An indicator over a view.
    ///
    /// - Parameters:
    ///   - widget: is put into the overlay, in the middle, and hidden until a load begins.
    ///   - view: the view that loads. Where no overlay is around it, nothing is shown.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, over view: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        g_object_ref_sink(widget)
        overlay = gtk_widget_get_ancestor(view, gtk_overlay_get_type()).map { OpaquePointer($0) }
        gtk_widget_set_visible(widget, 0)
        // What is under it gets the clicks.
        gtk_widget_set_can_target(widget, 0)
        guard let overlay else { return }
        if gtk_widget_get_halign(widget) == GTK_ALIGN_FILL, !widget.isA(gtk_progress_bar_get_type()) {
            gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
        }
        if gtk_widget_get_valign(widget) == GTK_ALIGN_FILL { gtk_widget_set_valign(widget, GTK_ALIGN_CENTER) }
        gtk_overlay_add_overlay(overlay, widget)
    }

    isolated deinit {
        if let overlay, gtk_widget_get_parent(widget) == UnsafeMutablePointer<GtkWidget>(overlay) {
            gtk_overlay_remove_overlay(overlay, widget)
        }
        g_object_unref(widget)
    }

    /// Shows it.
    public func start() {
        gtk_widget_set_visible(widget, 1)
        if widget.isA(gtk_spinner_get_type()) { gtk_spinner_start(OpaquePointer(widget)) }
        update(fraction: 0)
    }

    /// Hides it.
    public func stop() {
        if widget.isA(gtk_spinner_get_type()) { gtk_spinner_stop(OpaquePointer(widget)) }
        gtk_widget_set_visible(widget, 0)
    }

    /// Fills it, if it is a bar.
    public func update(fraction: Double) {
        guard widget.isA(gtk_progress_bar_get_type()) else { return }
        gtk_progress_bar_set_fraction(OpaquePointer(widget), fraction)
    }
}
#endif
