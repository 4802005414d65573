#if OriginServer
import EaselCore
import NIOCore
import Synchronization
import NIOHTTP1
import NIOPosix

#if OriginServerTLS
import NIOSSL
#endif

/// The state shared by all connections of one server.
final class OriginService: Sendable {
    private struct Connections: Sendable {
        var open: [Int: any Channel] = [:]
        var count = 0
    }

    let routes: OriginRoutes
    let clock: any Clock<Duration>
    let log = RequestLog()
    private let connections = Mutex(Connections())

    init(_ configuration: OriginConfiguration) {
        routes = configuration.routes
        clock = configuration.clock
    }

    /// Counts a connection, and retains it until its end, so that it closes with the server.
    ///
    /// - Returns: the number of the connection.
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

/// Functions that open the port and configure each connection's pipeline.
enum Listener {
    static func open(_ configuration: OriginConfiguration, service: OriginService) async throws -> any Channel {
        #if OriginServerTLS
        let context = try configuration.tls?.context(clients: configuration.clientCertificate)
        #endif
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    #if OriginServerTLS
                    if let context {
                        try pipeline.addHandler(
                            NIOSSLServerHandler(context: context), name: ConnectionHandler.tlsName)
                    }
                    #endif
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(ConnectionHandler(channel: channel, service: service))
                }
            }
            .bind(host: "127.0.0.1", port: configuration.port).get()
    }

    static func scheme(_ configuration: OriginConfiguration) -> String {
        #if OriginServerTLS
        configuration.tls == nil ? "http" : "https"
        #else
        "http"
        #endif
    }
}

#if OriginServerTLS
extension OriginCertificate {
    /// Returns the context shared by the TLS handlers of all connections.
    ///
    /// - Parameter clients: the certificate that clients must present, if any.
    func context(clients: OriginCertificate?) throws(ImageError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            if let clients {
                configuration.trustRoots = .certificates(
                    try NIOSSLCertificate.fromPEMBytes(Array(clients.certificate.utf8)))
                configuration.certificateVerification = .noHostnameVerification
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .insecure(host: "127.0.0.1", reason: String(describing: error)).caused(by: error)
        }
    }
}
#endif
#endif
