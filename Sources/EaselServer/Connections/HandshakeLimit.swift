#if Server
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Connections with TLS that are closed if their handshake takes too long. They have no `ConnectionHandler` until then.
struct HandshakeLimit: ServerChildChannel {
    let base: HTTP2UpgradeChannel
    let limit: Duration
    let didCloseSlow: @Sendable () -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [limit, didCloseSlow] value in
            let pipeline = channel.pipeline.syncOperations
            let security = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(HandshakeTimer(limit, didCloseSlow), position: .after(security))
            return value
        }
    }

    func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Used on one event loop.
private final class HandshakeTimer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limit: Duration
    private let didCloseSlow: @Sendable () -> Void
    private var timer: Scheduled<Void>?

    init(_ limit: Duration, _ didCloseSlow: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.didCloseSlow = didCloseSlow
    }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { [didCloseSlow] in
            didCloseSlow()
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { timer?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
