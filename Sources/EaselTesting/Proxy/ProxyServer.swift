public import EaselCore
#if OriginServer
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP proxy on 127.0.0.1 for tests, which leads every request to one port of this machine, whatever host it is for:
/// no name has to have an address. Needs the package trait `OriginServer`.
///
/// ```swift
/// let proxy = try await ProxyServer.start(to: origin.port)
/// let transport = CurlTransport(proxy: .url(proxy.url))
/// ```
///
/// It takes both forms: an absolute target (RFC 9112 3.2.2) and a tunnel by CONNECT (3.2.3).
public final class ProxyServer: Sendable {
    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// The port that it listens on.
    public let port: Int
    private let listener: any Channel
    private let log: RequestLines
    private let serving: Task<Void, Never>

    /// As a client is given it.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Method and target of each request, in the order in which they came: `CONNECT images.test:443`,
    /// `GET http://images.test/a.png`.
    public var requests: [String] { log.lines.withLock { $0 } }

    private final class RequestLines: Sendable {
        let lines = Mutex<[String]>([])
    }

    private init(port: Int, listener: any Channel, log: RequestLines, serving: Task<Void, Never>) {
        self.port = port
        self.listener = listener
        self.log = log
        self.serving = serving
    }

    /// Starts a proxy that leads to `target`, a port of 127.0.0.1.
    ///
    /// - Throws: `ImageError.unreachable` where there is no port to be had.
    public static func start(to target: Int) async throws(ImageError) -> ProxyServer {
        do {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(host: "127.0.0.1", port: 0) { channel in connection(channel) }
            let log = RequestLines()
            let serving = Task { () -> Void in
                _ = try? await server.executeThenClose { clients in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await client in clients {
                            group.addTask { try? await serve(client, target: target, log) }
                        }
                        // The listener is closed: so are its connections.
                        group.cancelAll()
                    }
                }
            }
            return ProxyServer(
                port: server.channel.localAddress?.port ?? 0, listener: server.channel, log: log, serving: serving)
        } catch {
            throw .unreachable(host: "127.0.0.1", reason: String(describing: error))
        }
    }

    /// Closes the port and all connections.
    public func stop() async {
        // Fails only where it is closed already.
        try? await listener.close()
        serving.cancel()
        await serving.value
    }

    private static func connection(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }

    private static func serve(_ client: Connection, target: Int, _ log: RequestLines) async throws {
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
                        for action in stream.take(Array(bytes.readableBytesView)) {
                            switch action {
                            case .log(let line): log.lines.withLock { $0.append(line) }
                            case .answer(let bytes): try await toClient.write(ByteBuffer(bytes: bytes))
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
/// Stands for the proxy where the package trait is off.
@available(*, unavailable, message: "To use it, enable the package trait OriginServer, which adds swift-nio.")
public final class ProxyServer: Sendable {
    /// Starts a proxy.
    public static func start(to target: Int) async throws(ImageError) -> ProxyServer {
        throw .unsupported("The package trait OriginServer is off.")
    }
}
#endif
