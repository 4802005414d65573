#if OriginServer
import EaselCore
import NIOCore
import Synchronization

/// What all connections of one server share.
final class OriginService: Sendable {
    private struct Connections: Sendable {
        var open: [Int: any Channel] = [:]
        var count = 0
    }

    let routes: Mutex<OriginRoutes>
    let clock: any Clock<Duration>
    let log = RequestLog()
    private let connections = Mutex(Connections())

    init(_ configuration: OriginConfiguration) {
        routes = Mutex(configuration.routes)
        clock = configuration.clock
    }

    /// Counts a connection and keeps it, to be closed with the server, until it ends.
    ///
    /// - Returns: its number.
    func add(_ channel: any Channel) -> Int {
        let number = connections.withLock { connections in
            let number = connections.count
            connections.count += 1
            connections.open[number] = channel
            return number
        }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.connections.withLock { $0.open[number] = nil }
        }
        return number
    }

    func closeConnections() {
        let open = connections.withLock { Array($0.open.values) }
        for channel in open { channel.close(promise: nil) }
    }
}
#endif
