#if GTK
import CGTK
public import EaselCore

struct Layer {
    let pixels: DrawnPixels
    /// The image's natural size in points. `pixels` may be smaller.
    let extent: Extent
    /// Whether this is a placeholder, which has few pixels but the size of the image to come.
    let isPlaceholder: Bool

    init(_ image: DecodedImage) { self.init(image.pixels, of: image) }

    init(_ pixels: PixelBuffer, of image: DecodedImage) {
        self.pixels = DrawnPixels(pixels)
        let size = image.metadata.isTransformed ? pixels.size : image.metadata.sampling?.original ?? pixels.size
        let scale = image.scale > 0 ? image.scale : 1
        extent = Extent(width: Double(size.width) / scale, height: Double(size.height) / scale)
        isPlaceholder = image.metadata.isPlaceholder
    }

    /// Draws the image fitted to the view and scaled by `factor` around its centre.
    func draw(_ snapshot: OpaquePointer, in view: Extent, _ fit: ContentFit, scaledBy factor: Double = 1) {
        let fit = isPlaceholder && fit == .scaleDown ? ContentFit.contain : fit
        let size = fit.rectangle(of: extent, in: view).size
        let rectangle = Rectangle(Extent(width: size.width * factor, height: size.height * factor), centeredIn: view)
        let overflows = rectangle.size.width > view.width + 0.01 || rectangle.size.height > view.height + 0.01
        if overflows { pushClip(snapshot, to: view) }
        pixels.draw(snapshot, in: rectangle)
        if overflows { gtk_snapshot_pop(snapshot) }
    }
}

/// Clips drawing to the view until the next `gtk_snapshot_pop`.
func pushClip(_ snapshot: OpaquePointer, to view: Extent) {
    var bounds = Rectangle(size: view).graphene
    gtk_snapshot_push_clip(snapshot, &bounds)
}
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
    func draw(_ snapshot: OpaquePointer, in rectangle: Rectangle) {
        let texture = texture ?? pixels.makeGdkTexture()
        self.texture = texture
        var bounds = rectangle.graphene
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
                bytes.baseAddress, gsize(bytes.count), releaseObject,
                Unmanaged.passRetained(PixelHolder(self)).toOpaque())
        }
        defer { g_bytes_unref(bytes) }
        // GTK's own format is premultiplied. Before 4.12, GTK converts even that through floating point each time that
        // Cairo draws it. Straight alpha, which describes opaque pixels as well, takes half the time there.
        let isStraight = isOpaque && gtk_get_minor_version() < 12
        let format = isStraight ? GDK_MEMORY_B8G8R8A8 : GDK_MEMORY_B8G8R8A8_PREMULTIPLIED
        return gdk_memory_texture_new(gint(width), gint(height), format, bytes, gsize(bytesPerRow))
    }
}

private final class PixelHolder: Sendable {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }
}
#endif
