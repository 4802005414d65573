#if GTK
public import CGTK
import EaselCore

/// How a widget shows that it is loading.
public enum ImageIndicator {
    /// No indicator.
    case none
    /// A rotating part of a ring, drawn over the image.
    case spinner
    /// A ring that closes as bytes arrive, drawn over the image. It is redrawn only when they do.
    case progressRing
    /// A custom indicator, such as an `OverlayIndicator`.
    case custom(any LoadIndicator)
}

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

/// An indicator that shows a widget over a view while it loads. A `GtkSpinner` turns and a `GtkProgressBar` fills. The
/// view must be inside a `GtkOverlay`.
public final class OverlayIndicator: LoadIndicator {
    /// The indicator widget.
    public let widget: UnsafeMutablePointer<GtkWidget>
    private let overlay: OpaquePointer?

    /// Creates an indicator over a view.
    ///
    /// - Parameters:
    ///   - widget: Added to the centre of the overlay, and hidden until a load starts.
    ///   - view: The view that loads. Without an enclosing overlay, no indicator is shown.
    public init(_ widget: UnsafeMutablePointer<GtkWidget>, over view: UnsafeMutablePointer<GtkWidget>) {
        self.widget = widget
        g_object_ref_sink(widget)
        overlay = gtk_widget_get_ancestor(view, gtk_overlay_get_type()).map { OpaquePointer($0) }
        gtk_widget_set_visible(widget, 0)
        // Clicks reach the view beneath.
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

    /// Shows the widget.
    public func start() {
        gtk_widget_set_visible(widget, 1)
        if widget.isA(gtk_spinner_get_type()) { gtk_spinner_start(OpaquePointer(widget)) }
        update(fraction: 0)
    }

    /// Hides the widget.
    public func stop() {
        if widget.isA(gtk_spinner_get_type()) { gtk_spinner_stop(OpaquePointer(widget)) }
        gtk_widget_set_visible(widget, 0)
    }

    /// Updates the fraction of a progress bar.
    public func update(fraction: Double) {
        guard widget.isA(gtk_progress_bar_get_type()) else { return }
        gtk_progress_bar_set_fraction(OpaquePointer(widget), fraction)
    }
}
#endif
