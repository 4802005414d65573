import EaselGTK

/// Style sheets for all windows of the display.
@MainActor
enum Style {
    static func add(_ styleSheet: String) {
        guard let provider = gtk_css_provider_new(), let display = gdk_display_get_default() else { return }
        gtk_css_provider_load_from_data(provider, styleSheet, -1)
        gtk_style_context_add_provider_for_display(
            display, OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        g_object_unref(provider)
    }

    /// Requests dark windows, which are common for image viewers.
    static func preferDark() {
        guard let settings = gtk_settings_get_default() else { return }
        var value = GValue()
        // The type of booleans, for which C has a macro.
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, 1)
        let object = UnsafeMutableRawPointer(settings).assumingMemoryBound(to: GObject.self)
        g_object_set_property(object, "gtk-application-prefer-dark-theme", &value)
        g_value_unset(&value)
    }
}
