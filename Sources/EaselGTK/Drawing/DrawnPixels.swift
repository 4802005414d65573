#if GTK
import CGTK
public import EaselCore

/// The pixels of an image as a GTK texture, created on first use without copying pixels.
final class DrawnPixels {
    private let pixels: PixelBuffer
    private var texture: OpaquePointer?

    var size: PixelSize { pixels.size }

    init(_ pixels: PixelBuffer) { self.pixels = pixels }

    deinit {
        if let texture { g_object_unref(UnsafeMutableRawPointer(texture)) }
    }

    /// Draws the image into a rectangle. The texture is created once, so that a renderer uploads it once.
    func draw(_ snapshot: OpaquePointer, in place: Place) {
        let texture = texture ?? pixels.makeGdkTexture()
        self.texture = texture
        var bounds = place.rectangle
        gtk_snapshot_append_texture(snapshot, texture, &bounds)
    }
}

extension PixelBuffer {
    /// Creates a `GdkMemoryTexture` for these pixels without a copy. The texture retains the pixels until its last
    /// reference is released. Callable on any thread; takes microseconds.
    ///
    /// - Returns: A reference that the caller owns and releases with `g_object_unref`.
    public func makeGdkTexture() -> OpaquePointer {
        let bytes = withUnsafeBytes { bytes in
            // The address stays valid after the closure: the storage never moves, and the holder retains it.
            g_bytes_new_with_free_func(
                bytes.baseAddress, gsize(bytes.count),
                { holder in
                    guard let holder else { return }
                    Unmanaged<PixelHolder>.fromOpaque(holder).release()
                }, Unmanaged.passRetained(PixelHolder(self)).toOpaque())
        }
        defer { g_bytes_unref(bytes) }
        // Opaque pixels are the same premultiplied or not, and GTK 4.8 converts premultiplied ones through floating
        // point each time that Cairo draws them.
        let format = isOpaque ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED
        return gdk_memory_texture_new(gint(width), gint(height), format, bytes, gsize(bytesPerRow))
    }
}

/// Retains the pixels for a texture.
private final class PixelHolder: Sendable {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }
}
#endif
