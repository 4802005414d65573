#if Server
public import Hummingbird
import HummingbirdCore
public import NIOCore

/// A request context with the connection of a request. Image routes use it for the address of the client, and to cancel
/// the work for a client that is gone.
public protocol ConnectionRequestContext: RequestContext {
    /// The connection, or the stream of HTTP/2.
    var channel: any Channel { get }
}

/// The request context of an image server.
public struct ImageRequestContext: ConnectionRequestContext {
    /// The values that Hummingbird requires.
    public var coreContext: CoreRequestContextStorage
    /// The connection, or the stream of HTTP/2.
    public let channel: any Channel

    /// Creates the context of a request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// The connection of a request, as far as it is known.
struct ConnectionFacts: Sendable {
    var channel: (any Channel)?

    /// The numeric address of the peer; `nil` for a Unix socket, or if it is unknown.
    var peerAddress: String? { (channel?.parent?.remoteAddress ?? channel?.remoteAddress)?.ipAddress }

    /// Runs `body`, and cancels it when the client closes the connection. Without a `ConnectionHandler` in the channel
    /// the body runs to its end.
    ///
    /// - Returns: The result, and whether the client is gone.
    func cancellingOnDisconnect<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        guard let channel else { return await body() }
        let task = Task { await body() }
        Self.watch(channel) { task.cancel() }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        Self.watch(channel, nil)
        return value
    }

    private static func watch(_ channel: any Channel, _ body: (@Sendable () -> Void)?) {
        channel.eventLoop.execute {
            let handler = try? channel.pipeline.syncOperations.handler(type: ConnectionHandler.self)
            handler?.watch(body)
        }
    }
}
#endif
