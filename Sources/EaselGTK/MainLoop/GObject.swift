#if GTK
import CGTK

extension UnsafeMutablePointer<GtkWidget> {
    var object: UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: GObject.self)
    }

    func isA(_ type: GType) -> Bool {
        let instance = UnsafeMutableRawPointer(self).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_check_instance_is_a(instance, type) != 0
    }
}

extension UnsafeMutablePointer<GObject> {
    /// Returns the Swift object that was attached under a key.
    func attachment<Object: AnyObject>(_ key: String, as type: Object.Type = Object.self) -> Object? {
        g_object_get_data(self, key).map { Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Attaches a Swift object, which is released with this one.
    func attach(_ object: AnyObject, _ key: String) {
        g_object_set_data_full(self, key, Unmanaged.passRetained(object).toOpaque(), releaseObject)
    }

    /// Calls `body` for each emission of a signal.
    ///
    /// - Parameters:
    ///   - after: Whether to call it after GTK's own handler.
    ///   - body: Receives the first argument of the signal, or the object if there is none. Released with the object.
    @MainActor
    func connect(
        _ signal: String, after: Bool = false, _ body: @escaping @MainActor (_ argument: OpaquePointer?) -> Void
    ) {
        let call: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { data, argument in
            guard let data else { return }
            nonisolated(unsafe) let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
            nonisolated(unsafe) let argument = argument
            MainActor.assumeIsolated { handler.body(argument) }
        }
        // Swapped, so that the handler is the first argument, regardless of the signal's arguments.
        g_signal_connect_data(
            self, signal, unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(SignalHandler(body)).toOpaque(), { data, _ in releaseObject(data) },
            after ? easel_connect_swapped_after : easel_connect_swapped)
    }
}

private final class SignalHandler {
    let body: @MainActor (OpaquePointer?) -> Void

    init(_ body: @escaping @MainActor (OpaquePointer?) -> Void) { self.body = body }
}

/// Releases a Swift object that C code retains.
let releaseObject: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}
#endif
