#if OriginServer
import NIOCore
import NIOHTTP1

/// Hands the requests of one connection to the task that answers them, and ends that task with the connection.
///
/// Lives on the connection's event loop alone.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// The TLS handler's name in the pipeline.
    static let tlsName = "TLS"

    private let heads: AsyncStream<HTTPRequestHead>.Continuation
    private let answering: Task<Void, Never>
    private var head: HTTPRequestHead?

    init(channel: any Channel, service: OriginService) {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPRequestHead.self)
        heads = continuation
        let connection = Connection(channel: channel, service: service)
        answering = Task { await connection.serve(stream) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            if let head { heads.yield(head) }
            head = nil
        }
    }

    /// Reading goes on while an answer is written, so that a client that leaves is noticed at once.
    func channelInactive(context: ChannelHandlerContext) {
        heads.finish()
        answering.cancel()
    }

    /// A client that speaks no HTTP, or breaks its connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
