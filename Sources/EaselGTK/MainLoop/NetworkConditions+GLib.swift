#if GTK
import CGTK
public import EaselCore
import Synchronization

extension NetworkConditions {
    /// Returns a function for `ImageManager.Configuration.networkConditions`, which returns the conditions that GLib's
    /// `GNetworkMonitor` reports: a metered network is constrained and expensive. They are updated by GLib's main loop.
    @MainActor
    public static func observeSystem() -> @Sendable () -> NetworkConditions {
        let current = CurrentConditions()
        guard let monitor = g_network_monitor_get_default() else { return { [] } }
        let update: @MainActor (OpaquePointer?) -> Void = { _ in
            current.set(
                NetworkConditions(
                    isAvailable: g_network_monitor_get_network_available(monitor) != 0,
                    isMetered: g_network_monitor_get_network_metered(monitor) != 0))
        }
        update(nil)
        let object = UnsafeMutableRawPointer(monitor).assumingMemoryBound(to: GObject.self)
        object.connect("network-changed", update)
        object.connect("notify::network-metered", update)
        return { current.get() }
    }

    init(isAvailable: Bool, isMetered: Bool) {
        self = isMetered ? [.constrained, .expensive] : []
        if !isAvailable { insert(.offline) }
    }
}

private final class CurrentConditions: Sendable {
    private let conditions = Mutex<NetworkConditions>([])

    func get() -> NetworkConditions { conditions.withLock { $0 } }
    func set(_ new: NetworkConditions) { conditions.withLock { $0 = new } }
}
#endif
