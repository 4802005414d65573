#if Server
import EaselFoundation
public import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import NIOSSL

extension HTTPServerBuilder {
    /// The limits of the connections of an image server.
    public struct ImageConnections: Sendable {
        /// The longest time of a TLS handshake, and then until the head of the first request is complete: 10 s.
        public var headTimeout = Duration.seconds(10)
        /// The longest time between a response and the complete head of the next request: 75 s.
        public var idleTimeout = Duration.seconds(75)
        /// The longest time in which a client that is sent a response receives nothing of it: 30 s.
        public var writeTimeout = Duration.seconds(30)
        /// The most bytes of the head of a request: 32 KiB.
        public var maximumHeadBytes = 32 << 10
        /// The certificate for TLS, with HTTP/2; `nil` for HTTP/1.1 without TLS.
        public var certificate: ServerCertificate?

        /// Creates the default limits, without TLS.
        public init() {}
    }

    /// Returns a server that cancels the work for clients that are gone, and closes connections that are too slow.
    ///
    /// - Throws: An error for an invalid certificate.
    public static func images(_ connections: ImageConnections = ImageConnections()) throws -> HTTPServerBuilder {
        try images(connections, hooks: ConnectionHandler.Hooks())
    }

    static func images(
        _ connections: ImageConnections, hooks: ConnectionHandler.Hooks
    ) throws -> HTTPServerBuilder {
        let timeouts = ConnectionTimeouts(
            head: connections.headTimeout, idle: connections.idleTimeout, write: connections.writeTimeout)
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: connections.maximumHeadBytes, maxHeaderListSize: connections.maximumHeadBytes,
            maxHeaderFieldCount: 200)
        let http1 = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionHandler(timeouts: timeouts, hooks: hooks)],
            httpDecoderConfiguration: decoder)
        guard let certificate = connections.certificate else { return .http1(configuration: http1) }
        let http2 = HTTP2ChannelConfiguration(
            idleTimeout: connections.idleTimeout, gracefulCloseTimeout: connections.writeTimeout,
            streamConfiguration: http1)
        return HTTPServerBuilder { responder in
            HandshakeLimit(
                base: try HTTP2UpgradeChannel(
                    tlsConfiguration: certificate.tlsConfiguration(), configuration: http2, responder: responder),
                limit: connections.headTimeout, didCloseSlow: hooks.didCloseSlow)
        }
    }
}
#endif
