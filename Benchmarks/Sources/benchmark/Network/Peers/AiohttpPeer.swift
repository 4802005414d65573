import Foundation

/// Python's client, in a process that runs all the time: a line with the work goes in, a line with the result comes out.
final class AiohttpPeer: NetworkPeer, @unchecked Sendable {
    // Not locked: one contestant works at a time.
    let name = "aiohttp"
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init(certificate: String) throws {
        guard let script = Bundle.module.path(forResource: "aiohttp-peer", ofType: "py") else {
            throw MissingPeer(name: "aiohttp", reason: "its script is not there.")
        }
        process.executableURL = URL(filePath: try Self.python())
        process.arguments = [script, certificate]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        guard try ask(["ready"]).first as? String == "ready" else {
            throw MissingPeer(name: "aiohttp", reason: "it did not start.")
        }
    }

    deinit { try? input.fileHandleForWriting.close() }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        try ask(["download", base, count, atATime]).first as? Int ?? 0
    }

    func latencies(_ url: String, count: Int) async throws -> [Double] {
        try ask(["latencies", url, count]).compactMap { ($0 as? NSNumber)?.doubleValue }
    }

    func confirm(_ url: String, tag: String, count: Int) async throws -> Int {
        try ask(["confirm", url, tag, count]).first as? Int ?? 0
    }

    func cancel(_ base: String, count: Int) throws -> Double {
        (try ask(["cancel", base, count]).first as? NSNumber)?.doubleValue ?? .nan
    }

    /// The answer, and an error in place of one that tells of a failure.
    private func ask(_ question: [Any]) throws -> [Any] {
        input.fileHandleForWriting.write(try JSONSerialization.data(withJSONObject: question) + Data("\n".utf8))
        while !rest.contains(UInt8(ascii: "\n")) {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw MissingPeer(name: name, reason: "its process has ended.") }
            rest += piece
        }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = Data(rest.dropFirst(line.count + 1))
        return try JSONSerialization.jsonObject(with: line) as? [Any] ?? []
    }

    /// Python with aiohttp, in the folder of the build.
    private static func python() throws -> String {
        let folder = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/aiohttp"
        let python = folder + "/bin/python"
        if (try? Tool.run(python, "-c", "import aiohttp")) != nil { return python }
        guard let system = Tool.find("python3") else {
            throw MissingPeer(name: "aiohttp", reason: "there is no Python.")
        }
        do {
            try Tool.run(system, "-m", "venv", folder)
            try Tool.run(python, "-m", "pip", "install", "--quiet", "aiohttp>=3.14,<4")
        } catch {
            throw MissingPeer(name: "aiohttp", reason: "it could not be installed into \(folder): \(error)")
        }
        return python
    }
}
