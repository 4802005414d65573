#if GTK
import CGTK
public import EaselCore

/// The pixels of one image as GTK takes them, made when they are first drawn. No pixel is copied.
final class DrawnPixels {
    private let pixels: PixelBuffer
    private var texture: OpaquePointer?

    /// Pixels across and down.
    var size: PixelSize { pixels.size }

    init(_ pixels: PixelBuffer) { self.pixels = pixels }

    deinit {
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }

    /// Draws all of them into a rectangle. The texture is made once, so that a renderer uploads it once.
    func draw(_ snapshot: OpaquePointer, in place: Place) {
        let texture = texture ?? pixels.makeGdkTexture()
        self.texture = texture
        var bounds = place.rectangle
        gtk_snapshot_append_texture(snapshot, texture, &bounds)
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
        // Opaque pixels are the same whether they are premultiplied or not, and GTK 4.8 copies premultiplied ones by way of
        // floating-point numbers each time that Cairo draws them.
        let format = isOpaque ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED
        return gdk_memory_texture_new(gint(width), gint(height), format, bytes, gsize(bytesPerRow))
    }
}

/// What a texture's bytes hold on to.
private final class PixelHolder: Sendable {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }
}
#endif
