#if Server
import Foundation
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: ServeProcess.isBuilt))
struct ServeCommandTests {
    @Test func `The command prints its address, serves, and ends with status 0 on SIGTERM`() async throws {
        let process = try ServeProcess(["--listen", "127.0.0.1:0", "--sandbox", "prefer"])
        let line = try await process.firstLine()
        #expect(line.hasPrefix("listening on 127.0.0.1:"))
        let port = try #require(Int(line.split(separator: ":").last ?? ""))
        let connection = try await WireConnection(port: port)
        #expect(try await connection.request("/health/ready").status == 200)
        process.signal(SIGHUP)
        #expect(try await connection.request("/health/ready").status == 200)
        process.signal(SIGTERM)
        #expect(await process.end() == 0)
    }

    @Test func `The configuration is printed without secrets`() async throws {
        let process = try ServeProcess(
            ["--print-config", "--queue=7", "--key", "aa", "--salt", "bb"], environment: ["EASEL_SERVE_TTL": "60"])
        #expect(try await process.firstLine() == "key = ****")
        #expect(await process.end() == 0)
    }

    @Test(arguments: [["--listen", "0.0.0.0:0"], ["--unknown", "1"], ["--queue"], ["extra"], ["--queue", "x"]])
    func `A mistake is a usage error, printed with the usage of this command`(arguments: [String]) async throws {
        let errors = Pipe()
        let process = try ServeProcess(arguments, standardError: errors)
        #expect(await process.end() == 2)
        let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains("See 'easel serve --help'"))
    }

    @Test func `A Unix socket is served`() async throws {
        let name = "easel-\(UUID().uuidString.prefix(8)).sock"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        let process = try ServeProcess(["--listen", "unix:\(path)"])
        #expect(try await process.firstLine() == "listening on unix:\(path)")
        #expect(FileManager.default.fileExists(atPath: path))
        process.signal(SIGTERM)
        #expect(await process.end() == 0)
    }
}

/// A process of `easel serve`.
final class ServeProcess: @unchecked Sendable {
    // The process is used by one test at a time, which awaits each call.
    private let process = Process()
    private let output = Pipe()
    private let ends: AsyncStream<Void>

    private static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "easel").path
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    init(
        _ arguments: [String], environment: [String: String] = [:], standardError: Any = FileHandle.nullDevice
    ) throws {
        process.executableURL = URL(filePath: Self.path)
        process.arguments = ["serve"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = standardError
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        self.ends = ends
        try process.run()
    }

    /// Reads the first line of standard output.
    func firstLine() async throws -> String {
        let handle = output.fileHandleForReading
        return try await WireConnection.blocking {
            var line = Data()
            while let byte = try handle.read(upToCount: 1), !byte.isEmpty, byte.first != UInt8(ascii: "\n") {
                line += byte
            }
            return String(decoding: line, as: UTF8.self)
        }
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end. Returns the status; `nil` after a signal.
    func end() async -> Int32? {
        for await _ in ends {}
        // The stream also ends when a test exceeds its time limit. A running process has no status: reading it traps.
        guard !process.isRunning else {
            signal(SIGKILL)
            return nil
        }
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
#endif
