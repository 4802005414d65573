#if canImport(Network)
import Dispatch
public import EaselCore
import Network
import Synchronization

extension NetworkConditions {
    /// Returns a function for `ImageManager.Configuration.networkConditions`, which returns the system's conditions as
    /// long as it is kept: the network is constrained in Low Data Mode, and expensive if it is cellular or a hotspot.
    public static func observeSystem() -> @Sendable () -> NetworkConditions {
        let observer = PathObserver()
        return { observer.conditions }
    }
}

private final class PathObserver: Sendable {
    private let current = Mutex<NetworkConditions>([])
    private let monitor = NWPathMonitor()

    init() {
        monitor.pathUpdateHandler = { [weak self] path in
            var conditions: NetworkConditions = path.status == .satisfied ? [] : .offline
            if path.isConstrained { conditions.insert(.constrained) }
            if path.isExpensive { conditions.insert(.expensive) }
            self?.current.withLock { $0 = conditions }
        }
        monitor.start(queue: DispatchQueue(label: "easel-network"))
    }

    deinit { monitor.cancel() }

    var conditions: NetworkConditions { current.withLock { $0 } }
}
#endif
