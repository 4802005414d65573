#if GTK
import CGTK
import EaselCore
import Testing

/// A window on the display with readable pixels.
@MainActor
final class TestWindow {
    let window: UnsafeMutablePointer<GtkWindow>
    private let widget: UnsafeMutablePointer<GtkWidget>
    private var isOpen = true

    /// Creates a window of this size with one widget, without showing it.
    init(_ child: UnsafeMutablePointer<GtkWidget>, width: Int = 64, height: Int = 64) throws {
        let widget = try #require(gtk_window_new())
        self.widget = widget
        window = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, gint(width), gint(height))
        gtk_window_set_child(window, child)
    }

    /// Starts GTK. Fails the test if there is no display.
    static func prepare() throws {
        // GTK may report success without a display.
        try #require(gtk_init_check() != 0 && gdk_display_get_default() != nil, "There is no display.")
    }

    /// Shows the window, and returns when it has been drawn.
    func present() async {
        gtk_window_present(window)
        await frame()
        await frame()
    }

    /// Returns when the next whole frame has been drawn.
    ///
    /// - Parameter inspect: Called as soon as the frame has been drawn, before anything else runs on the main thread.
    func frame(_ inspect: @escaping @MainActor () -> Void = {}) async {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        await withCheckedContinuation { continuation in
            let waiter = FrameWaiter(clock, continuation, inspect)
            waiter.connect()
            // Requests the frame even if nothing has changed.
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
            gtk_widget_queue_draw(widget)
        }
    }

    /// Returns the pixels of a widget, one per point. Call ``frame(_:)`` first. A widget that awaits a new layout has
    /// none.
    func pixels(of widget: UnsafeMutablePointer<GtkWidget>) throws -> PixelBuffer {
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let paintable = try #require(gtk_widget_paintable_new(widget))
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot = try #require(gtk_snapshot_new())
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        let native = try #require(gtk_widget_get_native(widget))
        let renderer = try #require(gtk_native_get_renderer(native))
        let size = PixelSize(Int(width), Int(height))
        // A widget that draws nothing has no node.
        guard let node = gtk_snapshot_free_to_node(snapshot) else {
            return try PixelBuffer(size: size, isOpaque: false) { bytes, _ in
                bytes.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        defer { gsk_render_node_unref(node) }
        var bounds = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(width), height: Float(height)))
        let texture = try #require(gsk_renderer_render_texture(renderer, node, &bounds))
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            gdk_texture_download(texture, bytes.baseAddress?.assumingMemoryBound(to: guchar.self), gsize(bytesPerRow))
        }
    }

    /// Returns the pixel in the middle of a widget, after a whole frame.
    func middle(of widget: UnsafeMutablePointer<GtkWidget>) async throws -> Pixel {
        await frame()
        let pixels = try pixels(of: widget)
        return pixels[pixels.width / 2, pixels.height / 2]
    }

    /// Closes the window and destroys its contents.
    func close() {
        guard isOpen else { return }
        isOpen = false
        if Self.staysOpen { gtk_window_set_child(window, nil) } else { gtk_window_destroy(window) }
    }

    /// Whether a closed window may prevent a later one from being drawn. Such a window stays open, empty, until the
    /// process ends.
    ///
    /// GTK before 4.15.5 does not destroy the EGL surface of a closed window: it passes `eglDestroySurface` its own
    /// display instead of EGL's. Mesa then refuses a surface for a new Wayland window at the same address
    /// (`EGL_BAD_ALLOC`), so GTK draws nothing in it and waits forever for the compositor to show that frame.
    private static let staysOpen: Bool = {
        guard gtk_check_version(4, 15, 5) != nil, let display = gdk_display_get_default() else { return false }
        let instance = UnsafeMutableRawPointer(display).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_name_from_instance(instance).map { String(cString: $0) } == "GdkWaylandDisplay"
    }()
}

/// Resumes a continuation once, after the next frame.
@MainActor
private final class FrameWaiter {
    private let clock: OpaquePointer
    private var continuation: CheckedContinuation<Void, Never>?
    private let inspect: @MainActor () -> Void
    private var handler: gulong = 0

    init(
        _ clock: OpaquePointer, _ continuation: CheckedContinuation<Void, Never>,
        _ inspect: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.continuation = continuation
        self.inspect = inspect
    }

    func connect() {
        let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
            guard let data else { return }
            let waiter = Unmanaged<FrameWaiter>.fromOpaque(data).takeUnretainedValue()
            MainActor.assumeIsolated { waiter.resume() }
        }
        handler = g_signal_connect_data(
            UnsafeMutableRawPointer(clock), "after-paint", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(self).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<FrameWaiter>.fromOpaque(data).release()
            }, easel_connect_swapped)
    }

    private func resume() {
        guard let continuation else { return }
        self.continuation = nil
        g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
        inspect()
        continuation.resume()
    }
}
#endif
