#if Server
import NIOCore

/// Commands that are sent together on one connection, and the action for their replies.
struct RedisCall: Sendable {
    let commands: [RedisCommand]
    /// The longest time from sending to the last reply.
    let limit: Duration
    /// Called once, on any thread. Must not block.
    let finish: @Sendable (Result<[RedisReply], TierError>) -> Void
}

/// Sends calls on a channel, and assigns the replies to them. Used only on the event loop of the channel.
///
/// A call that exceeds its limit closes the channel, since later replies would be late as well. All calls then fail.
final class RedisChannelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var parser = RESPParser()
    private var pipeline = Pipeline<RedisCall>()
    private var context: ChannelHandlerContext?
    private var failure: TierError?
    private var timer: Scheduled<Void>?
    private var isFlushScheduled = false
    private let start = ContinuousClock.now

    private var now: Duration { start.duration(to: .now) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        end(TierError(.unreachable, "The connection was closed."))
        self.context = nil
    }

    /// Sends a call. Calls of one turn of the event loop are written together.
    func send(_ call: RedisCall) {
        guard let context, failure == nil else {
            return call.finish(.failure(failure ?? TierError(.unreachable, "The connection is not open.")))
        }
        guard !call.commands.isEmpty else { return call.finish(.success([])) }
        var buffer = context.channel.allocator.buffer(capacity: call.commands.reduce(0) { $0 + $1.estimatedCount })
        for command in call.commands { command.write(to: &buffer) }
        pipeline.send(call, count: call.commands.count, deadline: now + call.limit)
        if timer == nil { scheduleTimer() }
        context.write(wrapOutboundOut(buffer), promise: nil)
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        context.eventLoop.assumeIsolated().execute { [self] in
            isFlushScheduled = false
            self.context?.flush()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parser.append(unwrapInboundIn(data))
        do throws(TierError) {
            while failure == nil, let reply = try parser.next() {
                guard let (call, replies) = try pipeline.receive(reply) else { continue }
                call.finish(.success(replies))
            }
        } catch {
            end(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(TierError(.unreachable, "The connection failed: \("\(error)".readable)"))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(TierError(.unreachable, "The server closed the connection."))
        context.fireChannelInactive()
    }

    /// Closes the channel, and fails all calls. Has no effect after the first time.
    func end(_ error: TierError) {
        guard failure == nil else { return }
        failure = error
        timer?.cancel()
        timer = nil
        context?.close(promise: nil)
        for call in pipeline.removeAll() { call.finish(.failure(error)) }
    }

    private func scheduleTimer() {
        guard let context, let deadline = pipeline.nextDeadline else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(max(.zero, deadline - now))) { [self] in
            timer = nil
            if let deadline = pipeline.nextDeadline, deadline <= now {
                end(TierError(.timedOut, "The server did not reply in time."))
            } else {
                scheduleTimer()
            }
        }
    }
}

extension RedisCommand {
    /// At least the number of bytes of the command in RESP2.
    fileprivate var estimatedCount: Int { arguments.reduce(16) { $0 + $1.count + 16 } }
}
#endif
