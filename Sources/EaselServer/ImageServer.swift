#if Server
import EaselFoundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// An image server: the routes in a separate application, which drains on request.
package final class ImageServer: Sendable {
    private let settings: ServerSettings
    private let routes: ImageRoutes
    private let group = Mutex<ServiceGroup?>(nil)
    private let isStopping = Atomic(false)

    /// Creates a server. It opens no socket.
    package init(_ settings: ServerSettings) {
        self.settings = settings
        routes = ImageRoutes(settings.routes)
    }

    /// Serves until `stop()`.
    ///
    /// - Parameter isListening: Called with the address when the server accepts connections.
    /// - Throws: An error if the address is not available.
    package func run(isListening: @escaping @Sendable (String) -> Void) async throws {
        await routes.connect()
        // Without a router, which has nothing to choose from.
        let responder = ImageResponder<ImageRequestContext>(handler: routes.handler, prefix: "")
        var hooks = ConnectionHandler.Hooks()
        hooks.answer = { [handler = routes.handler] head, channel in
            handler.respondFromMemory(to: head, ConnectionFacts(channel: channel))
        }
        hooks.didCloseSlow = { [metrics = routes.handler.service.metrics] in metrics.count(.slowConnections) }
        var configuration = ApplicationConfiguration(address: bindAddress, serverName: nil, backlog: 1024)
        configuration.availableConnectionsDelegate = MaximumAvailableConnections(settings.maximumConnections)
        let logger = Logger(label: "easel") { _ in JSONLogHandler() }
        let application = Application(
            responder: responder, server: try .images(settings.connections, hooks: hooks), configuration: configuration,
            onServerRunning: { [settings] channel in isListening(Self.address(of: channel, settings)) }, logger: logger)
        var group = ServiceGroupConfiguration(services: [application], logger: logger)
        group.maximumGracefulShutdownDuration = settings.drain
        let services = ServiceGroup(configuration: group)
        self.group.withLock { $0 = services }
        do {
            try await services.run()
        } catch {
            // Requests that were cancelled at the bound are no failure of the server.
            guard isStopping.load(ordering: .acquiring) else { throw error }
        }
        await routes.shutDown()
    }

    /// Stops accepting connections, finishes requests within the bound of the settings, and ends `run`.
    package func stop() async {
        isStopping.store(true, ordering: .releasing)
        routes.beginStopping()
        await group.withLock { $0 }?.triggerGracefulShutdown()
    }

    /// Uses the keys, presets, allowed options and sources of other settings, and reads the certificate again. Other
    /// settings do not change.
    ///
    /// - Throws: An error of the certificate. The previous one stays.
    package func reload(_ settings: ServerSettings) throws {
        routes.update(settings.routes)
        try self.settings.connections.certificate?.reload()
    }

    /// The number of requests that wait for a result.
    var flightCallers: Int { routes.handler.service.flightCallers }

    /// Waits until the results that were returned so far are stored.
    func finishWrites() async { await routes.handler.service.finishWrites() }

    private var bindAddress: BindAddress {
        switch settings.address {
        case .host(let host, let port): .hostname(host, port: port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }

    private static func address(of channel: any Channel, _ settings: ServerSettings) -> String {
        guard case .host(let host, _) = settings.address, let port = channel.localAddress?.port else {
            return settings.address.description
        }
        return ServerSettings.Address.host(host, port: port).description
    }
}

/// Writes the messages of the server's libraries as JSON objects to standard error.
private struct JSONLogHandler: LogHandler {
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata = [:]
    private let log = LineLog(descriptor: 2)

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var text = JSONText()
        text.add("time", TimeText.now)
        text.add("level", event.level.rawValue)
        text.add("message", "\(event.message)")
        for (name, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) { text.add(name, "\(value)") }
        log.write(text.object)
    }
}
#endif
