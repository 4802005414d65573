public import EaselCore
#if OriginServer
import NIOCore
import NIOPosix

/// An HTTP proxy on 127.0.0.1 for tests, which forwards every request to one local port, whatever its host, so names
/// need no address. Requires the package trait `OriginServer`.
///
/// ```swift
/// let proxy = try await ProxyServer.start(to: origin.port)
/// let transport = CurlTransport(proxy: .url(proxy.url))
/// ```
///
/// Supports absolute targets (RFC 9112 3.2.2) and CONNECT tunnels (3.2.3).
public final class ProxyServer: Sendable {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The port of the proxy.
    public let port: Int
    private let listener: any Channel
    private let log: Monitor<[String]>
    private let serving: Task<Void, Never>

    /// The URL for a client's proxy setting.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// The method and target of each request, in order: `CONNECT images.test:443`, `GET http://images.test/a.png`.
    public var requests: [String] { log.state }

    private init(port: Int, listener: any Channel, log: Monitor<[String]>, serving: Task<Void, Never>) {
        self.port = port
        self.listener = listener
        self.log = log
        self.serving = serving
    }

    /// Starts a proxy that forwards to `target`, a port of 127.0.0.1.
    ///
    /// - Throws: `ImageError.unreachable` if no port is available.
    public static func start(to target: Int) async throws(ImageError) -> ProxyServer {
        do {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0) { channel in connection(channel) }
            let log = Monitor<[String]>([])
            let serving = Task { () -> Void in
                _ = try? await server.executeThenClose { clients in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await client in clients {
                            group.addTask { try? await serve(client, target: target, log) }
                        }
                        // The listener is closed, so its connections close, too.
                        group.cancelAll()
                    }
                }
            }
            return ProxyServer(
                port: server.channel.localAddress?.port ?? 0, listener: server.channel, log: log, serving: serving)
        } catch {
            throw .unreachable(host: "127.0.0.1", reason: String(describing: error)).caused(by: error)
        }
    }

    /// Closes the port and all connections.
    public func stop() async {
        // Fails only if it is already closed.
        try? await listener.close()
        serving.cancel()
        await serving.value
    }

    private static func connection(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }

    private static func serve(_ client: Connection, target: Int, _ log: Monitor<[String]>) async throws {
        try await client.executeThenClose { fromClient, toClient in
            let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: target) { channel in connection(channel) }
            try await server.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await bytes in fromServer { try await toClient.write(bytes) }
                        toClient.finish()
                    }
                    var stream = ProxyStream()
                    for try await bytes in fromClient {
                        for action in stream.receive(Array(bytes.readableBytesView)) {
                            switch action {
                            case .log(let line): log.update { $0.append(line) }
                            case .respond(let bytes): try await toClient.write(ByteBuffer(bytes: bytes))
                            case .forward(let bytes): try await toServer.write(ByteBuffer(bytes: bytes))
                            }
                        }
                    }
                    group.cancelAll()
                }
            }
        }
    }
}
#else
/// A placeholder while the package trait is disabled.
@available(*, unavailable, message: "To use it, enable the package trait OriginServer, which adds swift-nio.")
public final class ProxyServer: Sendable {
    /// Starts a proxy.
    public static func start(to target: Int) async throws(ImageError) -> ProxyServer {
        throw .unsupported("The package trait OriginServer is off.")
    }
}
#endif
