#if GTK
import CGTK

/// Draws the progress of a load in the centre of a view.
enum ProgressDrawing {
    /// A part of a ring. Angles are turns from the top, clockwise.
    struct Arc: Equatable {
        var from: Double
        var to: Double
    }

    /// Returns the arc of a spinner: a third of a ring, with one turn per second.
    static func spinner(at time: Duration) -> Arc {
        let turns = (time / .seconds(1)).truncatingRemainder(dividingBy: 1)
        return Arc(from: turns, to: turns + 1.0 / 3)
    }

    /// Returns the arc for a fraction: a short arc at the start, the whole ring at the end.
    static func ring(fraction: Double) -> Arc {
        Arc(from: 0, to: min(max(fraction, 0.02), 1))
    }

    /// Returns the rectangle of the ring, or `nil` if the view is too small.
    static func place(in view: Extent) -> Place? {
        let diameter = min(32, min(view.width, view.height) * 0.4)
        guard diameter >= 8 else { return nil }
        return Place(
            x: (view.width - diameter) / 2, y: (view.height - diameter) / 2, width: diameter, height: diameter)
    }

    static func draw(_ arc: Arc, _ snapshot: OpaquePointer, in view: Extent, color: GdkRGBA) {
        guard let place = place(in: view) else { return }
        var bounds = place.rectangle
        let cairo = gtk_snapshot_append_cairo(snapshot, &bounds)
        defer { cairo_destroy(cairo) }
        let width = max(2, place.width / 9)
        let (x, y) = (place.x + place.width / 2, place.y + place.height / 2)
        cairo_set_line_width(cairo, width)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        let radius = (place.width - width) / 2
        stroke(cairo, x, y, radius, Arc(from: 0, to: 1), color, alpha: 0.2)
        stroke(cairo, x, y, radius, arc, color, alpha: 0.8)
    }

    private static func stroke(
        _ cairo: OpaquePointer?, _ x: Double, _ y: Double, _ radius: Double, _ arc: Arc, _ color: GdkRGBA,
        alpha: Double
    ) {
        cairo_set_source_rgba(
            cairo, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha) * alpha)
        cairo_new_path(cairo)
        cairo_arc(cairo, x, y, radius, (arc.from - 0.25) * 2 * .pi, (arc.to - 0.25) * 2 * .pi)
        cairo_stroke(cairo)
    }
}
#endif
