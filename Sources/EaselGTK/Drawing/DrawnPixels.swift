#if GTK
import CGTK
public import EaselCore

/// The pixels of one picture as GTK takes them, made when they are first drawn. No pixel is copied.
final class DrawnPixels {
    private let pixels: PixelBuffer
    private var texture: OpaquePointer?
    private var surface: OpaquePointer?

    /// Pixels across and down.
    var size: PixelSize { pixels.size }

    init(_ pixels: PixelBuffer) { self.pixels = pixels }

    deinit {
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
        // What was drawn with it may still be on its way to the screen, and holds on to it.
        if let surface { cairo_surface_destroy(surface) }
    }

    /// Draws all of them into a rectangle.
    ///
    /// - Parameter withCairo: whether Cairo draws the whole window. It takes the pixels as they are, while for a texture GTK first
    ///   turns each of them into floating-point numbers and back, at each frame.
    func draw(_ snapshot: OpaquePointer, in place: Place, withCairo: Bool) {
        var bounds = place.rectangle
        guard withCairo else {
            let texture = texture ?? pixels.makeGdkTexture()
            self.texture = texture
            return gtk_snapshot_append_texture(snapshot, texture, &bounds)
        }
        guard let surface = sharedSurface(),
            let pattern = PixelPattern.make(of: surface, size, isOpaque: pixels.isOpaque)
        else { return }
        let cairo = gtk_snapshot_append_cairo(snapshot, &bounds)
        cairo_translate(cairo, place.x, place.y)
        cairo_scale(cairo, place.width / Double(size.width), place.height / Double(size.height))
        // Else the outermost pixels of a scaled picture fade into what is behind it.
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_set_source(cairo, pattern)
        cairo_rectangle(cairo, 0, 0, Double(size.width), Double(size.height))
        cairo_fill(cairo)
        cairo_pattern_destroy(pattern)
        cairo_destroy(cairo)
    }

    private func sharedSurface() -> OpaquePointer? {
        if surface == nil { surface = pixels.makeCairoSurface() }
        return surface
    }
}

extension PixelBuffer {
    /// A `GdkMemoryTexture` over these pixels, without a copy; it keeps them until its last reference is gone. May be
    /// called on any thread, and takes microseconds.
    ///
    /// - Returns: a reference that the caller owns: `g_object_unref` gives it back.
    public func makeGdkTexture() -> OpaquePointer {
        let bytes = withUnsafeBytes { bytes in
            // The address stays good beyond the closure: the storage never moves, and the holder keeps it.
            g_bytes_new_with_free_func(
                bytes.baseAddress, gsize(bytes.count),
                { holder in
                    guard let holder else { return }
                    Unmanaged<PixelHolder>.fromOpaque(holder).release()
                }, Unmanaged.passRetained(PixelHolder(self)).toOpaque())
        }
        defer { g_bytes_unref(bytes) }
        // B, G, R, A in memory, premultiplied: what Cairo has on a machine with little-endian words, so that it takes
        // the pixels as they are.
        return gdk_memory_texture_new(
            gint(width), gint(height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(bytesPerRow))
    }
}

extension PixelBuffer {
    /// What Cairo knows the holder by: an address that nobody else has.
    private nonisolated(unsafe) static let holderKey = UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)

    /// A surface over these pixels, without a copy; it keeps them until its last reference is gone. `nil` without memory.
    fileprivate func makeCairoSurface() -> OpaquePointer? {
        let surface = withUnsafeBytes { bytes in
            // Nobody draws on it, so that Cairo writes nothing. The address stays good beyond the closure: the storage never
            // moves, and the holder keeps it.
            cairo_image_surface_create_for_data(
                UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)),
                isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32, gint(width), gint(height), gint(bytesPerRow))
        }
        let holder = Unmanaged.passRetained(PixelHolder(self))
        let status = cairo_surface_set_user_data(surface, Self.holderKey, holder.toOpaque()) { holder in
            guard let holder else { return }
            Unmanaged<PixelHolder>.fromOpaque(holder).release()
        }
        guard status == CAIRO_STATUS_SUCCESS else {
            holder.release()
            cairo_surface_destroy(surface)
            return nil
        }
        return surface
    }
}

/// A surface as a source for Cairo that is asked for its pixels when they are drawn.
///
/// GTK records what is drawn with Cairo. Of a surface that is drawn itself Cairo keeps a snapshot, for which it copies all pixels when
/// the surface goes: for an animation, each frame once more.
private enum PixelPattern {
    /// A pattern that the caller owns; `nil` without memory. It keeps the surface, as do its copies in what was recorded.
    static func make(of surface: OpaquePointer, _ size: PixelSize, isOpaque: Bool) -> OpaquePointer? {
        let data = UnsafeMutableRawPointer(cairo_surface_reference(surface))
        let content = isOpaque ? CAIRO_CONTENT_COLOR : CAIRO_CONTENT_COLOR_ALPHA
        guard let pattern = cairo_pattern_create_raster_source(data, content, gint(size.width), gint(size.height)),
            cairo_pattern_status(pattern) == CAIRO_STATUS_SUCCESS
        else {
            cairo_surface_destroy(surface)
            return nil
        }
        cairo_raster_source_pattern_set_acquire(
            pattern, { _, data, _, _ in cairo_surface_reference(data.map { OpaquePointer($0) }) },
            { _, _, surface in cairo_surface_destroy(surface) })
        cairo_raster_source_pattern_set_copy(pattern) { _, data, _ in
            cairo_surface_reference(data.map { OpaquePointer($0) })
            return CAIRO_STATUS_SUCCESS
        }
        cairo_raster_source_pattern_set_finish(pattern) { _, data in
            cairo_surface_destroy(data.map { OpaquePointer($0) })
        }
        return pattern
    }
}

/// What a texture's or a surface's bytes hold on to.
private final class PixelHolder: Sendable {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }
}
#endif
