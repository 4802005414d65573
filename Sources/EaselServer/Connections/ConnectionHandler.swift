#if Server
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches a connection: closes it when it is too slow (`ConnectionState`), answers heads that are too large and
/// requests for what is in memory, reports when the client is gone, and completes responses when the server stops.
///
/// In HTTP/1.1 a client that shuts down its side counts as gone. Used on one event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What the connection of a server does in addition.
    struct Hooks: Sendable {
        /// Returns the response to a request that needs no waiting. It is written without the tasks that serve the
        /// others, which take most of the time of a hit.
        var answer: @Sendable (HTTPRequest, any Channel) -> ResponseParts? = { _, _ in nil }
        /// Called when a connection is closed because its client is too slow.
        var didCloseSlow: @Sendable () -> Void = {}
    }

    private let timeouts: ConnectionTimeouts
    private let hooks: Hooks
    /// The response to the request that is being read.
    private var answer: ResponseParts?
    private var state: ConnectionState?
    private var timer: (task: Scheduled<Void>, time: Duration)?
    private var context: ChannelHandlerContext?
    private var isGone = false
    /// Whether the connection has to be closed as soon as it is quiet.
    private var isQuiescing = false
    /// Called once when the client is gone. Set while a request waits for work.
    private var onDisconnect: (@Sendable () -> Void)?

    init(timeouts: ConnectionTimeouts, hooks: Hooks = Hooks()) {
        self.timeouts = timeouts
        self.hooks = hooks
    }

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
        // Hummingbird would close the connection without the bytes that the system has not accepted.
        if event is ChannelShouldQuiesceEvent, state?.isQuiet == false {
            isQuiescing = true
            return
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Responses are in the order of the requests, so that all before this one have to be complete. A stream of
            // HTTP/2 has a single request, and ends with the task that serves it. Hummingbird waits for a client that
            // does not read, so that no more than one response is written ahead.
            if state?.isWaiting == true, context.channel.isWritable, context.channel.parent?.parent == nil {
                answer = hooks.answer(head, context.channel)
            }
            update { $0.receiveHead() }
            if answer == nil { context.fireChannelRead(data) }
        case .body:
            if answer == nil { context.fireChannelRead(data) }
        case .end:
            guard let answer = answer.take() else { return context.fireChannelRead(data) }
            send(answer, context)
        }
    }

    private func send(_ answer: ResponseParts, _ context: ChannelHandlerContext) {
        let head = HTTPTypes.HTTPResponse(status: answer.status, headerFields: answer.fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = answer.body { write(body, context, promise: nil) }
        // A body has a length, so that its end is the end of the response.
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: answer.body == nil ? track(nil) : nil)
        update { $0.endResponse(now: Self.now) }
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
        case .body(let body):
            write(body, context, promise: promise)
        case .end:
            context.write(data, promise: track(promise))
            update { $0.endResponse(now: Self.now) }
        }
    }

    private func write(_ body: ByteBuffer, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        var body = body
        while body.readableBytes > Self.pieceSize, let piece = body.readSlice(length: Self.pieceSize) {
            context.write(wrapOutboundOut(.body(piece)), promise: track(nil))
        }
        context.write(wrapOutboundOut(.body(body)), promise: track(promise))
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
        if isQuiescing, changed.isQuiet {
            isQuiescing = false
            context?.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
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
        guard let state, let deadline = state.deadline else { return }
        guard deadline <= Self.now else { return schedule() }
        if !state.isIdle { hooks.didCloseSlow() }
        context?.close(promise: nil)
    }
}

/// Not shared between event loops.
@available(*, unavailable)
extension ConnectionHandler: Sendable {}
#endif
