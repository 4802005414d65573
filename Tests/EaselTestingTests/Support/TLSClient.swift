#if OriginServerTLS
import EaselTesting
import NIOCore
import NIOPosix
import NIOSSL

/// A TLS client that trusts only one certificate.
enum TLSClient {
    /// Sends a GET and reads until the connection ends.
    static func get(
        _ path: String, from origin: OriginServer, trusting certificate: OriginCertificate
    ) async throws -> String {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificate.utf8)))
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: origin.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            // If the handshake fails, reading reports the reason; writing reports only a closed channel.
            try? await outbound.write(ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            var received = ByteBuffer()
            for try await buffer in inbound { received.writeImmutableBuffer(buffer) }
            return String(buffer: received)
        }
    }
}
#endif
