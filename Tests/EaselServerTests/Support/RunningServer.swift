#if Server
import EaselCodecs
import EaselCore
import EaselServerURLs
import EaselTesting
import Foundation
import TestSupport

@testable import EaselServer

/// An image server in this process, with an origin.
final class RunningServer: Sendable {
    let origin: OriginServer
    let port: Int
    let server: ImageServer
    private let task: Task<Void, any Error>

    private init(origin: OriginServer, port: Int, server: ImageServer, task: Task<Void, any Error>) {
        self.origin = origin
        self.port = port
        self.server = server
        self.task = task
    }

    /// Runs `body` with a server that accepts unsigned URLs, and sources on this machine.
    static func with(
        _ configure: (inout ServerSettings) throws -> Void = { _ in },
        routes: @escaping @Sendable (inout OriginConfiguration) -> Void = { _ in },
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let origin = try await OriginServer.start { configuration in
            configuration.respond("/a.png", with: .image(.gradient(64, 48)))
            configuration.respond("/a.jpg", with: .image(.gradient(64, 48), .jpeg))
            configuration.respond("/text.png", with: .text("no image"))
            routes(&configuration)
        }
        var settings = try ServerSettings(
            try SettingValues(flags: ["listen": ["127.0.0.1:0"], "allow-private": ["127.0.0.1"], "no-log": ["true"]]))
        try configure(&settings)
        let server = ImageServer(settings)
        let (addresses, report) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            defer { report.finish() }
            try await server.run { report.yield($0) }
        }
        var iterator = addresses.makeAsyncIterator()
        guard let address = await iterator.next(), let port = Int(address.split(separator: ":").last ?? "") else {
            try await task.value
            throw CocoaError(.featureUnsupported)
        }
        let running = RunningServer(origin: origin, port: port, server: server, task: task)
        do {
            try await body(running)
        } catch {
            await running.stop()
            throw error
        }
        await running.stop()
    }

    /// Configures a server that accepts only URLs signed with a key.
    static func requiring(_ key: SigningKey) -> (inout ServerSettings) -> Void {
        { settings in
            settings.routes.urls.keys = [key]
            settings.routes.urls.allowsUnsigned = false
        }
    }

    /// Stops the server and waits for its end.
    func stop() async {
        await server.stop()
        _ = await task.result
        await origin.stop()
    }

    /// Returns the target of a URL with these options for a path of the origin.
    func target(_ options: String, _ path: String = "/a.png", extension suffix: String = "") -> String {
        "/unsafe/\(options.isEmpty ? "" : options + "/")plain/\(origin.url(path).absoluteString)\(suffix)"
    }

    /// Sends one request on a new connection.
    func get(_ target: String, method: String = "GET", _ fields: [String: String] = [:]) async throws -> WireResponse {
        try await WireConnection(port: port).request(target, method: method, fields)
    }

    /// The text of `/metrics`.
    func metric(_ name: String) async throws -> Double? {
        let text = try await get("/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line.flatMap { Double($0.dropFirst(name.count + 1)) }
    }
}

extension WireResponse {
    /// The header of the image in the body.
    func image() throws -> ImageHeader { try CoderRegistry.standard().decoder(for: body).header(of: body) }
}
#endif
