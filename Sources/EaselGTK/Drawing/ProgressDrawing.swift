#if GTK
import CGTK

/// Functions that draw the progress of a load in the centre of a view.
enum ProgressDrawing {
    /// A part of a ring. Angles are turns from the top, clockwise.
    struct Arc: Equatable {
        var from: Double
        var to: Double
    }

    /// Returns the arc of a spinner: a third of a ring, with one turn per second.
    static func spinner(at time: Duration) -> Arc {
        let phase = (time / .seconds(1)).truncatingRemainder(dividingBy: 1)
        return Arc(from: phase, to: phase + 1.0 / 3)
    }

    /// Returns the arc for a fraction: a short arc at the start, the whole ring at the end.
    static func ring(fraction: Double) -> Arc { Arc(from: 0, to: min(max(fraction, 0.02), 1)) }

    /// Returns the rectangle of the ring, or `nil` if the view is too small.
    static func rectangle(in view: Extent) -> Rectangle? {
        let diameter = min(32, min(view.width, view.height) * 0.4)
        return diameter < 8 ? nil : Rectangle(Extent(width: diameter, height: diameter), centeredIn: view)
    }

    static func draw(_ arc: Arc, _ snapshot: OpaquePointer, in view: Extent, color: GdkRGBA) {
        guard let rectangle = rectangle(in: view) else { return }
        var bounds = rectangle.graphene
        let cairo = gtk_snapshot_append_cairo(snapshot, &bounds)
        defer { cairo_destroy(cairo) }
        let diameter = rectangle.size.width
        let width = max(2, diameter / 9)
        cairo_set_line_width(cairo, width)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_translate(cairo, rectangle.x + diameter / 2, rectangle.y + diameter / 2)
        for (arc, alpha) in [(Arc(from: 0, to: 1), 0.2), (arc, 0.8)] {
            cairo_set_source_rgba(
                cairo, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha) * alpha)
            cairo_new_path(cairo)
            cairo_arc(
                cairo, 0, 0, (diameter - width) / 2, (arc.from - 0.25) * 2 * .pi, (arc.to - 0.25) * 2 * .pi)
            cairo_stroke(cairo)
        }
    }
}
#endif
