#if GTK
import CEaselGTK
import CGTK

/// Keeps the memory that the frames of a window are in, from one frame to the next, where Cairo draws for an X server.
///
/// GTK gives each frame to the server in memory that both share. Cairo gives all of that back as soon as nothing is in it, which is
/// after each frame, and the next one's pages are made anew: half of what the main thread did while it scrolled, and some of the
/// server's time. A small piece that stays there keeps it.
@MainActor
final class FrameMemory {
    private static let key = "easel-frame-memory"
    /// How much larger a window may become until it needs another piece: Cairo leaves room for more than that.
    private static let room = 2

    private let piece: OpaquePointer?
    private let pixelCount: Int

    private init(_ piece: OpaquePointer?, pixelCount: Int) {
        self.piece = piece
        self.pixelCount = pixelCount
    }

    isolated deinit {
        if let piece { cairo_surface_destroy(piece) }
    }

    /// Keeps the memory of a widget's window, as long as that is there.
    static func keep(of widget: UnsafeMutablePointer<GtkWidget>) {
        guard let native = gtk_widget_get_native(widget), let surface = gtk_native_get_surface(native) else { return }
        let scale = gdk_surface_get_scale_factor(surface)
        let (width, height) = (gdk_surface_get_width(surface) * scale, gdk_surface_get_height(surface) * scale)
        let pixelCount = Int(width) * Int(height)
        let object = UnsafeMutableRawPointer(surface).assumingMemoryBound(to: GObject.self)
        if let kept = existing(of: object), pixelCount <= kept.pixelCount * room { return }
        let piece = easel_frame_memory_keep(UnsafeMutableRawPointer(surface), width, height)
        let memory = FrameMemory(piece, pixelCount: pixelCount)
        g_object_set_data_full(object, key, Unmanaged.passRetained(memory).toOpaque()) { data in
            guard let data else { return }
            Unmanaged<FrameMemory>.fromOpaque(data).release()
        }
    }

    private static func existing(of object: UnsafeMutablePointer<GObject>) -> FrameMemory? {
        guard let data = g_object_get_data(object, key) else { return nil }
        return Unmanaged<FrameMemory>.fromOpaque(data).takeUnretainedValue()
    }
}
#endif
