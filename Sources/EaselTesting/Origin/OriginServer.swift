public import EaselCore
#if OriginServer
public import EaselFoundation
import NIOCore
import NIOPosix

/// An HTTP/1.1 server on 127.0.0.1 for tests, with configurable faults. Requires the package trait `OriginServer`.
///
/// ```swift
/// let origin = try await OriginServer.start {
///     $0.respond("/a.png", with: .image(.gradient(64, 64)), faults: [.delay(.milliseconds(50)), .truncate(at: 900)])
///     $0.respond("/flaky.png", with: [.status(500), .image(.gradient(64, 64))])
///     $0.respond("/old.png", with: .redirect(to: "/a.png"))
/// }
/// let image = try? await manager.image(for: origin.url("/a.png"))
/// #expect(origin.requests(for: "/a.png").count == 1)
/// await origin.stop()
/// ```
///
/// A path without a response returns a 404. Bodies of requests are read and discarded.
///
/// A server runs until `stop()` or the end of the process. Releasing it does not stop it, since Swift can release a
/// value after its last use, while a test still uses the port.
public final class OriginServer: OriginRouting, Sendable {
    let service: OriginService
    private let listener: any Channel
    /// The port of the server.
    public let port: Int
    /// The responses.
    public var routes: OriginRoutes { service.routes }
    private let base: URL

    private init(service: OriginService, listener: any Channel, port: Int, base: URL) {
        self.service = service
        self.listener = listener
        self.port = port
        self.base = base
    }

    /// Starts a server. It accepts connections when this returns.
    ///
    /// - Parameter configure: sets the port, the responses, the clock and the certificate.
    /// - Throws: `ImageError.unreachable` if the port is not available, and `.insecure` for an invalid certificate.
    public static func start(
        _ configure: (inout OriginConfiguration) -> Void = { _ in }
    ) async throws(ImageError) -> OriginServer {
        var configuration = OriginConfiguration()
        configure(&configuration)
        let service = OriginService(configuration)
        do {
            let listener = try await Listener.open(configuration, service: service)
            let port = listener.localAddress?.port ?? configuration.port
            guard let base = URL(string: "\(Listener.scheme(configuration))://127.0.0.1:\(port)/") else {
                throw ImageError.invalidURL("127.0.0.1:\(port)")
            }
            return OriginServer(service: service, listener: listener, port: port, base: base)
        } catch let error as ImageError {
            throw error
        } catch {
            throw .unreachable(host: "127.0.0.1:\(configuration.port)", reason: String(describing: error)).caused(
                by: error)
        }
    }

    /// Closes the port and all connections. Responses in progress have no ending.
    public func stop() async {
        service.log.freeze()
        // Fails only if it is already closed.
        try? await listener.close()
        service.closeConnections()
    }

    /// Returns the URL of a path, which can include a query.
    public func url(_ path: String) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base.appending(path: path)
    }
}

extension OriginServer {
    /// The requests received so far, in order.
    public var requests: [OriginRequest] { service.log.requests }

    /// Returns the requests received so far for a path, with any query.
    public func requests(for path: String) -> [OriginRequest] {
        requests.filter { $0.path == path }
    }

    /// Waits until `count` requests have arrived, for `path` or for all paths together.
    ///
    /// - Returns: the requests so far; fewer than `count` only if the task was cancelled.
    @discardableResult
    public func waitForRequests(_ count: Int = 1, for path: String? = nil) async -> [OriginRequest] {
        await wait { requests in requests.count { path == nil || $0.path == path } >= count }
        return requests.filter { path == nil || $0.path == path }
    }

    /// Waits until the client has closed the connection before the end of a response for `path`.
    ///
    /// - Returns: the first such request; `nil` only if the task was cancelled.
    @discardableResult
    public func waitForClose(of path: String) async -> OriginRequest? {
        let isClosed = { @Sendable (request: OriginRequest) in
            request.path == path && request.ending == .closedByClient
        }
        await wait { $0.contains(where: isClosed) }
        return requests.first(where: isClosed)
    }

    /// Waits until `condition` is true for the requests so far. Returns early if the task is cancelled.
    public func wait(until condition: @escaping @Sendable ([OriginRequest]) -> Bool) async {
        await service.log.wait(until: condition)
    }
}
#else
/// A placeholder while the package trait is disabled. Its members make the compiler emit this message.
@available(*, unavailable, message: "To use it, enable the package trait OriginServer, which adds swift-nio.")
public final class OriginServer: Sendable {
    /// Starts a server.
    public static func start(
        _ configure: (inout OriginConfiguration) -> Void = { _ in }
    ) async throws(ImageError) -> OriginServer {
        throw .unsupported("The package trait OriginServer is off.")
    }
}
#endif
