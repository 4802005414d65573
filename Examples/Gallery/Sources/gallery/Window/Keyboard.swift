import EaselGTK

/// Key events of a window, before its widgets handle them.
@MainActor
enum Keyboard {
    enum Key: Equatable {
        case escape, left, right, space, panel
        case letter(Character)
        case other

        init(_ value: guint) {
            switch Int32(bitPattern: value) {
            case GDK_KEY_Escape: self = .escape
            case GDK_KEY_Left: self = .left
            case GDK_KEY_Right: self = .right
            case GDK_KEY_space: self = .space
            case GDK_KEY_F9: self = .panel
            default: self = Unicode.Scalar(gdk_keyval_to_unicode(value)).map { .letter(Character($0)) } ?? .other
            }
        }
    }

    private final class Handler {
        let body: @MainActor (Key, Bool) -> Bool

        init(_ body: @escaping @MainActor (Key, Bool) -> Bool) { self.body = body }
    }

    /// Calls `body` for each key. It returns whether it handled the key.
    static func attach(to window: Widget, _ body: @escaping @MainActor (_ key: Key, _ isControl: Bool) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        typealias Call =
            @convention(c) (
                OpaquePointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?
            ) -> gboolean
        let call: Call = { _, value, _, modifiers, data in
            guard let data else { return 0 }
            nonisolated(unsafe) let handler = Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue()
            let isControl = modifiers.rawValue & GDK_CONTROL_MASK.rawValue != 0
            return MainActor.assumeIsolated { handler.body(Key(value), isControl) ? 1 : 0 }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(controller), "key-pressed", unsafeBitCast(call, to: GCallback.self),
            Unmanaged.passRetained(Handler(body)).toOpaque(),
            { data, _ in
                guard let data else { return }
                Unmanaged<Handler>.fromOpaque(data).release()
            }, GConnectFlags(rawValue: 0))
        gtk_widget_add_controller(window, controller)
    }
}
