#if Server
import EaselTesting
import Foundation
import TestSupport

/// A redis-server on a free port of this machine, without files.
final class RedisProcess: Sendable {
    /// The path of redis-server, or `nil` if it is not installed.
    static let path = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let port: Int
    private let identifier: Int32
    private let ends: AsyncStream<Void>

    /// Runs `body` with a server.
    static func run(_ body: (RedisProcess) async throws -> Void) async throws {
        let server = try await RedisProcess()
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// Starts a server and waits until it answers.
    private init() async throws {
        guard let path = Self.path else { throw CocoaError(.fileNoSuchFile) }
        let process = Process()
        let port = Int.random(in: 20_000..<30_000)
        process.executableURL = URL(filePath: path)
        process.arguments = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        // An inherited descriptor would keep the runner of the tests waiting.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        self.port = port
        self.ends = ends
        identifier = process.processIdentifier
        try await until { (try? await WireConnection(port: port)) != nil }
    }

    /// Sends a signal, such as SIGSTOP.
    func signal(_ number: Int32) { kill(identifier, number) }

    /// Ends the server.
    private func stop() async {
        signal(SIGKILL)
        for await _ in ends {}
    }
}
#endif
