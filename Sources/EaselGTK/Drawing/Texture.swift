#if GTK
import CGTK
public import EaselCore

/// A `GdkTexture` over the memory of a `PixelBuffer`: no pixel is copied, and the buffer lives as long as the texture.
final class Texture {
    /// The texture; valid as long as this object.
    let pointer: OpaquePointer
    /// Pixels across and down.
    let size: PixelSize

    init(_ pixels: PixelBuffer) {
        pointer = pixels.makeGdkTexture()
        size = pixels.size
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
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

/// What a texture's bytes hold on to.
private final class PixelHolder: Sendable {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }
}
#endif
