#if Server
import EaselTesting
import Foundation

/// Servers that a script in the folder Scripts starts for a test. They end with this process at the latest.
package final class ServerScript {
    /// The lines that the script printed before `ready`.
    package let lines: [String]
    private let process: Process
    private let input: Pipe
    private let ends: AsyncStream<Void>

    /// Runs `body` while the servers run.
    package static func run(
        _ script: String, _ arguments: [String], _ body: (ServerScript) async throws -> Void
    ) async throws {
        let servers = try await ServerScript(script, arguments)
        do {
            try await body(servers)
        } catch {
            await servers.stop()
            throw error
        }
        await servers.stop()
    }

    /// Starts the servers, and waits until they answer.
    package init(_ script: String, _ arguments: [String]) async throws {
        let (ends, reportEnd) = AsyncStream<Void>.makeStream()
        let (chunks, receive) = AsyncStream<Data>.makeStream()
        let output = Pipe()
        let process = Process()
        let input = Pipe()
        process.executableURL = Self.repository.appending(path: "Scripts/\(script)")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.terminationHandler = { _ in reportEnd.finish() }
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { receive.finish() } else { receive.yield(data) }
        }
        try process.run()
        var text = ""
        for await chunk in chunks {
            text += String(decoding: chunk, as: UTF8.self)
            if text.hasSuffix("ready\n") { break }
        }
        output.fileHandleForReading.readabilityHandler = nil
        guard text.hasSuffix("ready\n") else { throw CocoaError(.executableLoad) }
        lines = text.split(separator: "\n").dropLast().map(String.init)
        self.process = process
        self.input = input
        self.ends = ends
    }

    /// Ends the servers, and waits until they have ended.
    package func stop() async {
        try? input.fileHandleForWriting.close()
        for await _ in ends {}
    }

    /// Returns the process identifier of the server with a port.
    package func process(at port: Int) -> Int32? {
        let words = lines.map { $0.split(separator: " ") }.first { $0.count == 3 && $0[1] == "\(port)" }
        return words.flatMap { Int32($0[2]) }
    }

    /// The file of the server's certificate.
    package var certificateFile: String? {
        lines.first { $0.hasPrefix("certificate ") }.map { String($0.dropFirst("certificate ".count)) }
    }

    /// Sends a signal to the server with a port.
    package func signal(_ signal: Int32, at port: Int) {
        if let process = process(at: port) { kill(process, signal) }
    }

    private static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns whether all programs are installed.
    package static func areInstalled(_ programs: String...) -> Bool {
        programs.allSatisfy { program in
            ["/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"].contains {
                FileManager.default.isExecutableFile(atPath: $0 + program)
            }
        }
    }
}

/// Returns different ports that are free now. They are below those of outgoing connections, which could take them.
package func freePorts(_ count: Int) -> [Int] {
    var ports: Set<Int> = []
    while ports.count < count {
        let port = Int.random(in: 20_001..<30_000)
        if isFree(port) { ports.insert(port) }
    }
    return Array(ports)
}

/// Returns the first of several ports in a row that are free now.
package func freePortRange(_ count: Int) -> Int {
    while true {
        let first = Int.random(in: 20_001..<30_000)
        if (first..<(first + count)).allSatisfy(isFree) { return first }
    }
}

private func isFree(_ port: Int) -> Bool {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return withUnsafeBytes(of: &address) { bytes in
        bind(
            descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
            socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
}

/// Waits until a condition is true, at most for a time. Returns whether it became true.
package func eventually(within limit: Duration = .seconds(10), _ condition: () async -> Bool) async -> Bool {
    (try? await until(timeout: limit) { await condition() }) != nil
}
#endif
