#if GTK
import CGTK

/// A `GdkPaintable` that draws a `Painting`. There is one per view, so that `GtkPicture`, `GtkImage` and other
/// consumers of paintables show the same.
@MainActor
final class ImagePaintable {
    let painting: Painting
    /// The paintable, valid as long as this object. Other owners may retain it longer; it keeps drawing the last image.
    let pointer: OpaquePointer
    /// Calls `invalidate()`, now or later. `nil` calls it now.
    var draw: (() -> Void)?

    init(_ painting: Painting) {
        self.painting = painting
        guard let object = g_object_new_with_properties(PaintableClass.type, 0, nil, nil) else {
            preconditionFailure("GObject makes every object of a registered class")
        }
        object.withMemoryRebound(to: PaintableInstance.self, capacity: 1) {
            $0.pointee.painting = Unmanaged.passRetained(painting)
        }
        let pointer = OpaquePointer(object)
        self.pointer = pointer
        painting.didChange = { [unowned self] in
            if let draw { draw() } else { invalidate() }
        }
        painting.didResize = { gdk_paintable_invalidate_size(pointer) }
    }

    /// Makes all consumers draw the painting again.
    func invalidate() { gdk_paintable_invalidate_contents(pointer) }

    isolated deinit {
        // Other owners may still use the object.
        painting.didChange = {}
        painting.didResize = {}
        g_object_unref(UnsafeMutableRawPointer(pointer))
    }
}

private struct PaintableInstance {
    var parent: GObject
    var painting: Unmanaged<Painting>?
}

private enum PaintableClass {
    static let type: GType = {
        let type = g_type_register_static_simple(
            g_object_get_type(), "EaselImagePaintable", guint(MemoryLayout<GObjectClass>.size),
            { classPointer, _ in
                classPointer?.assumingMemoryBound(to: GObjectClass.self).pointee.finalize = PaintableClass.finalize
            }, guint(MemoryLayout<PaintableInstance>.size), nil, GTypeFlags(rawValue: 0))
        var interface = GInterfaceInfo(
            interface_init: { interface, _ in
                guard let interface = interface?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
                interface.pointee.snapshot = PaintableClass.snapshot
                interface.pointee.get_intrinsic_width = PaintableClass.width
                interface.pointee.get_intrinsic_height = PaintableClass.height
                interface.pointee.get_intrinsic_aspect_ratio = { _ in
                    // Without an aspect ratio the view gives all its space, and the painting fits the image into it.
                    0
                }
            }, interface_finalize: nil, interface_data: nil)
        g_type_add_interface_static(type, gdk_paintable_get_type(), &interface)
        return type
    }()

    private static let finalize: @convention(c) (UnsafeMutablePointer<GObject>?) -> Void = { object in
        guard let object else { return }
        object.withMemoryRebound(to: PaintableInstance.self, capacity: 1) { instance in
            instance.pointee.painting?.release()
            instance.pointee.painting = nil
        }
        let parent = g_type_class_peek(g_object_get_type())?.assumingMemoryBound(to: GObjectClass.self)
        parent?.pointee.finalize(object)
    }

    private typealias Snapshot = @convention(c) (OpaquePointer?, OpaquePointer?, Double, Double) -> Void

    private static let snapshot: Snapshot = { paintable, snapshot, width, height in
        guard let snapshot else { return }
        nonisolated(unsafe) let target = snapshot
        with(paintable) { painting in
            painting.draw(target, in: Extent(width: width, height: height), at: FrameTime.now())
        }
    }

    private static let width: @convention(c) (OpaquePointer?) -> Int32 = { paintable in
        with(paintable) { $0.naturalSize.width } ?? 0
    }

    private static let height: @convention(c) (OpaquePointer?) -> Int32 = { paintable in
        with(paintable) { $0.naturalSize.height } ?? 0
    }

    /// Calls `body` on the main actor, because GTK calls on the main thread.
    private static func with<Value: Sendable>(
        _ paintable: OpaquePointer?, _ body: @MainActor (Painting) -> Value
    ) -> Value? {
        guard let paintable else { return nil }
        let instance = UnsafeMutablePointer<PaintableInstance>(paintable)
        guard let painting = instance.pointee.painting?.takeUnretainedValue() else { return nil }
        return MainActor.assumeIsolated { body(painting) }
    }
}
#endif
