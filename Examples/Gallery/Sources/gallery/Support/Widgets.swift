import EaselGTK

/// The return type of GTK's widget constructors.
typealias Widget = UnsafeMutablePointer<GtkWidget>

/// Unwraps a widget from a constructor, which always succeeds.
func unwrap(_ widget: Widget?) -> Widget {
    guard let widget else { preconditionFailure("GTK makes every widget of a known class") }
    return widget
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The pointer type for functions of opaque classes.
    var opaque: OpaquePointer { OpaquePointer(self) }

    var box: UnsafeMutablePointer<GtkBox> { cast() }
    var grid: UnsafeMutablePointer<GtkGrid> { cast() }
    var button: UnsafeMutablePointer<GtkButton> { cast() }
    var window: UnsafeMutablePointer<GtkWindow> { cast() }

    private func cast<Class>() -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: Class.self)
    }

    /// Appends widgets to a box.
    @MainActor
    func append(_ children: Widget...) { for child in children { gtk_box_append(box, child) } }

    @MainActor
    func style(_ names: String...) { for name in names { gtk_widget_add_css_class(self, name) } }

    @MainActor
    func setMargins(_ margin: Int) {
        gtk_widget_set_margin_start(self, gint(margin))
        gtk_widget_set_margin_end(self, gint(margin))
        gtk_widget_set_margin_top(self, gint(margin))
        gtk_widget_set_margin_bottom(self, gint(margin))
    }
}

/// Creates the widgets of the gallery.
@MainActor
enum Make {
    static func column(spacing: Int = 0, _ children: Widget...) -> Widget {
        let box = unwrap(gtk_box_new(GTK_ORIENTATION_VERTICAL, gint(spacing)))
        for child in children { box.append(child) }
        return box
    }

    static func row(spacing: Int = 0, _ children: Widget...) -> Widget {
        let box = unwrap(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, gint(spacing)))
        for child in children { box.append(child) }
        return box
    }

    static func label(_ text: String, _ styles: String...) -> Widget {
        let label = unwrap(gtk_label_new(text))
        gtk_label_set_xalign(label.opaque, 0)
        for style in styles { label.style(style) }
        return label
    }

    static func button(icon: String, tip: String, _ action: @escaping @MainActor () -> Void) -> Widget {
        let button = unwrap(gtk_button_new_from_icon_name(icon))
        gtk_widget_set_tooltip_text(button, tip)
        connect(button, "clicked", action)
        return button
    }

    static func button(_ title: String, tip: String, _ action: @escaping @MainActor () -> Void) -> Widget {
        let button = unwrap(gtk_button_new_with_label(title))
        gtk_widget_set_tooltip_text(button, tip)
        connect(button, "clicked", action)
        return button
    }

    static func toggle(icon: String, tip: String, _ action: @escaping @MainActor (Bool) -> Void) -> Widget {
        let toggle = unwrap(gtk_toggle_button_new())
        gtk_button_set_icon_name(toggle.button, icon)
        gtk_widget_set_tooltip_text(toggle, tip)
        connect(toggle, "toggled") { action(isOn(toggle)) }
        return toggle
    }

    static func isOn(_ toggle: Widget) -> Bool {
        gtk_toggle_button_get_active(UnsafeMutableRawPointer(toggle).assumingMemoryBound(to: GtkToggleButton.self)) != 0
    }

    static func setOn(_ toggle: Widget, _ isOn: Bool) {
        gtk_toggle_button_set_active(
            UnsafeMutableRawPointer(toggle).assumingMemoryBound(to: GtkToggleButton.self), isOn ? 1 : 0)
    }
}
