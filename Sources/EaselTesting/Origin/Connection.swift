#if OriginServer
import EaselFoundation
import EaselCore
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A task that responds to the requests of one connection, one by one, according to their plans.
struct Connection: Sendable {
    private let channel: any Channel
    private let service: OriginService
    private let number: Int

    init(channel: any Channel, service: OriginService) {
        self.channel = channel
        self.service = service
        number = service.add(channel)
    }

    func serve(_ heads: AsyncStream<HTTPRequestHead>) async {
        for await head in heads {
            let request = service.log.record { number in
                OriginRequest(
                    number: number, connection: self.number, method: head.method.rawValue, target: head.uri,
                    headers: HTTPHeaders(head.headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) }),
                    keepsAlive: head.isKeepAlive)
            }
            do {
                try await respond(to: request)
                service.log.end(request, as: .completed)
            } catch {
                // Waits and writes fail only if the connection is closed.
                service.log.end(request, as: .closedByClient)
                channel.close(promise: nil)
            }
        }
    }

    private func respond(to request: OriginRequest) async throws {
        let response = await service.routes.response(to: request)
        // Reads files and encodes images on a thread that may block.
        let complete = try await NIOThreadPool.singleton.runIfActive { response.respond(to: request) }
        for step in ResponsePlan(complete, faults: response.faults, keepsAlive: request.keepsAlive).steps {
            try await run(step, of: request)
        }
    }

    private func run(_ step: ResponsePlan.Step, of request: OriginRequest) async throws {
        switch step {
        case .wait(let duration): try await service.clock.sleep(for: duration)
        case .hold(let gate): try await gate.wait()
        case .write(let bytes): try await write(bytes, of: request)
        case .stall: try await Gate().wait()
        case .close, .reset:
            service.log.end(request, as: .completed)
            if step == .reset { try await reset() } else { try await channel.close() }
        }
    }

    /// Writes in pieces, so that the log shows how much a slow client has accepted.
    private func write(_ bytes: Data, of request: OriginRequest) async throws {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let piece = remaining.prefix(64 << 10)
            remaining = remaining.dropFirst(piece.count)
            try await channel.writeAndFlush(channel.allocator.buffer(bytes: piece))
            service.log.addWritten(piece.count, to: request)
        }
    }

    /// Closing a socket with a linger time of 0 sends RST instead of FIN.
    private func reset() async throws {
        if let options = channel as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await channel.eventLoop.submit {
            // Closes below the TLS handler, which would send a close alert and wait for a reply.
            if let tls = try? channel.pipeline.syncOperations.context(name: ConnectionHandler.tlsName) {
                tls.close(promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }.get()
    }
}

/// A handler that passes the requests of one connection to the task that responds to them, and ends that task with the
/// connection.
///
/// Used only on the connection's event loop.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    static let tlsName = "TLS"

    private let heads: AsyncStream<HTTPRequestHead>.Continuation
    private let serving: Task<Void, Never>
    private var head: HTTPRequestHead?

    init(channel: any Channel, service: OriginService) {
        let (stream, continuation) = AsyncStream.makeStream(of: HTTPRequestHead.self)
        heads = continuation
        let connection = Connection(channel: channel, service: service)
        serving = Task { await connection.serve(stream) }
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

    /// Reading continues during a response, so a closed connection is detected immediately.
    func channelInactive(context: ChannelHandlerContext) {
        heads.finish()
        serving.cancel()
    }

    /// Handles clients that send invalid HTTP or break the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
