import EaselGTK

/// Calls `body` when a GObject emits a signal. Ignores the signal's arguments.
@MainActor
func connect(_ object: OpaquePointer, _ signal: String, _ body: @escaping @MainActor () -> Void) {
    let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
        guard let data else { return }
        nonisolated(unsafe) let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        MainActor.assumeIsolated { handler.body() }
    }
    g_signal_connect_data(
        UnsafeMutableRawPointer(object), signal, unsafeBitCast(call, to: GCallback.self),
        Unmanaged.passRetained(SignalHandler(body)).toOpaque(),
        { data, _ in
            guard let data else { return }
            Unmanaged<SignalHandler>.fromOpaque(data).release()
        }, easel_connect_swapped)
}

/// Calls `body` when a widget emits a signal.
@MainActor
func connect(_ widget: Widget, _ signal: String, _ body: @escaping @MainActor () -> Void) {
    connect(OpaquePointer(widget), signal, body)
}

private final class SignalHandler {
    let body: @MainActor () -> Void

    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
}
