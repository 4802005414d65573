#if GTK
import CGTK
import EaselCore

/// How widgets of each class show a paintable.
extension WidgetTarget {
    /// Sets the paintable of a widget of a known class. Others need `ImageWidget.display(by:)` or set their image
    /// themselves.
    func installDisplay() {
        if widget.isA(gtk_picture_get_type()) {
            showInPicture(widget)
        } else if widget.isA(gtk_image_get_type()) {
            gtk_image_set_from_paintable(OpaquePointer(widget), paintable.pointer)
        } else if widget.isA(gtk_button_get_type()) {
            showInButton()
        }
    }

    /// Shows the paintable in a `GtkPicture`, with its content fit.
    private func showInPicture(_ picture: UnsafeMutablePointer<GtkWidget>) {
        canvas = picture
        gtk_picture_set_paintable(OpaquePointer(picture), paintable.pointer)
        if picture == widget {
            painting.fitOfView = { [unowned self] in ContentFit(gtk_picture_get_content_fit(OpaquePointer(widget))) }
        }
    }

    /// Adds a `GtkPicture` to a button, beneath its child, such as its title.
    private func showInButton() {
        let button = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkButton.self)
        guard let picture = gtk_picture_new() else { return }
        showInPicture(picture)
        guard let child = gtk_button_get_child(button) else { return gtk_button_set_child(button, picture) }
        guard let overlay = gtk_overlay_new() else { return }
        g_object_ref(child)
        gtk_button_set_child(button, overlay)
        gtk_overlay_set_child(OpaquePointer(overlay), picture)
        gtk_overlay_add_overlay(OpaquePointer(overlay), child)
        gtk_overlay_set_measure_overlay(OpaquePointer(overlay), child, 1)
        g_object_unref(child)
    }
}
#endif
