#if GTK
import CGTK
import EaselCore

/// An image as a view shows it.
struct Layer {
    let pixels: DrawnPixels
    /// The image's natural size in points. `pixels` may be smaller.
    let extent: Extent
    /// Whether this is a placeholder, which has few pixels but the size of the image to come.
    let isPlaceholder: Bool

    init(_ image: DecodedImage) { self.init(image.pixels, of: image) }

    /// Creates a layer from the pixels of an image or of one of its frames.
    init(_ pixels: PixelBuffer, of image: DecodedImage) {
        self.pixels = DrawnPixels(pixels)
        let size = image.metadata.isTransformed ? pixels.size : image.metadata.sampling?.original ?? pixels.size
        let scale = image.scale > 0 ? image.scale : 1
        extent = Extent(width: Double(size.width) / scale, height: Double(size.height) / scale)
        isPlaceholder = image.metadata.isPlaceholder
    }

    /// Draws the image fitted to the view and scaled by `factor` around its centre.
    func draw(
        _ snapshot: OpaquePointer, in view: Extent, _ fit: ContentFit, scaledBy factor: Double = 1
    ) {
        let fit = isPlaceholder && fit == .scaleDown ? ContentFit.contain : fit
        let place = fit.place(of: extent, in: view).scaled(by: factor)
        let overflows = place.width > view.width + 0.01 || place.height > view.height + 0.01
        if overflows { pushClip(snapshot, to: view) }
        pixels.draw(snapshot, in: place)
        if overflows { gtk_snapshot_pop(snapshot) }
    }
}

/// Clips drawing to the view until the next `gtk_snapshot_pop`.
func pushClip(_ snapshot: OpaquePointer, to view: Extent) {
    var bounds = Place(x: 0, y: 0, width: view.width, height: view.height).rectangle
    gtk_snapshot_push_clip(snapshot, &bounds)
}
#endif
