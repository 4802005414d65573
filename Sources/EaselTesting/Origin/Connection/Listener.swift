#if OriginServer
import EaselCore
import NIOCore
import NIOHTTP1
import NIOPosix
#if OriginServerTLS
import NIOSSL
#endif

/// Opens the port and gives every connection its handlers.
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
#endif
