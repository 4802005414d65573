#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches a connection: closes it when it is too slow (`ConnectionState`), answers heads that are too large, and
/// reports when the client is gone.
///
/// In HTTP/1.1 a client that shuts down its side counts as gone. Used on one event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let timeouts: ConnectionTimeouts
    private var state: ConnectionState?
    private var timer: (task: Scheduled<Void>, time: Duration)?
    private var context: ChannelHandlerContext?
    private var isGone = false
    /// Called once when the client is gone. Set while a request waits for work.
    private var onDisconnect: (@Sendable () -> Void)?

    init(timeouts: ConnectionTimeouts) { self.timeouts = timeouts }

    /// Calls `body` once when the client is gone, also if it is already. `nil` ends the watch.
    func watch(_ body: (@Sendable () -> Void)?) {
        onDisconnect = body
        if isGone { reportDisconnect() }
    }

    private func reportDisconnect() {
        isGone = true
        let body = onDisconnect
        onDisconnect = nil
        body?()
    }

    // MARK: - Events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        begin()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.task.cancel()
        timer = nil
        state = nil
        reportDisconnect()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A stream of HTTP/2 is half closed after every request.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, context.channel.parent?.parent == nil {
            reportDisconnect()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) { update { $0.receiveHead() } }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, error == .headerOverflow else {
            return context.fireErrorCaught(error)
        }
        // The parser does not continue, so that this is the last response.
        let head = HTTPTypes.HTTPResponse(
            status: .requestHeaderFieldsTooLarge, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let end = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: end)
        end.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    // MARK: - Writing

    /// The size of the pieces in which a body is written, so that a slow client is seen to make progress.
    private static let pieceSize = 128 << 10

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head:
            context.write(data, promise: promise)
        case .body(var body):
            while body.readableBytes > Self.pieceSize, let piece = body.readSlice(length: Self.pieceSize) {
                context.write(wrapOutboundOut(.body(piece)), promise: track(nil))
            }
            context.write(wrapOutboundOut(.body(body)), promise: track(promise))
        case .end:
            context.write(data, promise: promise)
            update { $0.endResponse(now: Self.now) }
        }
    }

    /// Returns a promise that records the end of a write, and then completes `promise`.
    private func track(_ promise: EventLoopPromise<Void>?) -> EventLoopPromise<Void>? {
        guard let context else { return promise }
        update { $0.beginWrite(now: Self.now) }
        let tracked = promise ?? context.eventLoop.makePromise(of: Void.self)
        tracked.futureResult.assumeIsolated().whenComplete { _ in self.update { $0.endWrite(now: Self.now) } }
        return tracked
    }

    // MARK: - Time

    private static var now: Duration {
        let time = NIODeadline.now().uptimeNanoseconds
        return .nanoseconds(Int64(clamping: time))
    }

    private func begin() {
        guard state == nil, !isGone else { return }
        state = ConnectionState(timeouts: timeouts, now: Self.now)
        schedule()
    }

    private func update(_ change: (inout ConnectionState) -> Void) {
        guard var changed = state else { return }
        change(&changed)
        state = changed
        schedule()
    }

    /// Sets the timer, unless it fires early enough: a deadline moves with every request, and a timer need not.
    private func schedule() {
        guard let context, let deadline = state?.deadline else { return }
        if let timer, timer.time <= deadline { return }
        timer?.task.cancel()
        let delay = TimeAmount.nanoseconds(max(0, Int64((deadline - Self.now).inSeconds * 1e9)))
        let task = context.eventLoop.assumeIsolated().scheduleTask(in: delay) { self.timerFired() }
        timer = (task, deadline)
    }

    private func timerFired() {
        timer = nil
        guard let deadline = state?.deadline else { return }
        if deadline <= Self.now { context?.close(promise: nil) } else { schedule() }
    }
}

/// Not shared between event loops.
@available(*, unavailable)
extension ConnectionHandler: Sendable {}
#endif
