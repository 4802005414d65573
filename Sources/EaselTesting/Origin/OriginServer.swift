public import EaselCore
#if OriginServer
public import EaselFoundation
import NIOCore
import NIOPosix

/// An HTTP/1.1 server on 127.0.0.1 for tests, that goes wrong exactly as it is told. Needs the package trait
/// `OriginServer`.
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
/// A path without a response is a 404. The bodies of requests are read and thrown away. A server runs until `stop()` or the end of the process, and not until it is
/// released: Swift may release a value after its last use, while a test still talks to the port.
public final class OriginServer: Sendable {
    let service: OriginService
    private let listener: any Channel
    /// The port that it listens on.
    public let port: Int
    private let base: URL

    private init(service: OriginService, listener: any Channel, port: Int, base: URL) {
        self.service = service
        self.listener = listener
        self.port = port
        self.base = base
    }

    /// Starts a server; it takes connections when this returns.
    ///
    /// - Parameter configure: sets the port, the responses, the clock and the certificate.
    /// - Throws: `ImageError.unreachable` where the port cannot be had, and `.insecure` for a bad certificate.
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
            throw .unreachable(host: "127.0.0.1:\(configuration.port)", reason: String(describing: error))
        }
    }

    /// Closes the port and all connections. Answers that are under way stay without an ending.
    public func stop() async {
        service.log.freeze()
        // Fails only where it is closed already.
        try? await listener.close()
        service.closeConnections()
    }

    /// The URL of a path, which may have a query.
    public func url(_ path: String) -> URL {
        URL(string: path, relativeTo: base)?.absoluteURL ?? base.appending(path: path)
    }
}
#else
/// Stands for the server where the package trait is off. It has the members by which a program begins, because without them the
/// compiler only says that they are missing.
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
