import Foundation

/// Python's client, in a process that stays alive.
final class AiohttpPeer: NetworkPeer {
    let name = "aiohttp"
    var place: Contestant.Place { process.place }
    private let process: PythonProcess

    init(certificate: String) throws {
        process = try PythonProcess(
            for: name, script: "aiohttp-peer", arguments: [certificate], packages: [.aiohttp])
        guard try process.send(["ready"]).first as? String == "ready" else {
            throw MissingPeer(name: name, reason: "it did not start.")
        }
    }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        try process.send(["download", base, count, atATime]).first as? Int ?? 0
    }

    func latencies(_ base: String, count: Int) async throws -> [Double] {
        try process.send(["latencies", base, count]).compactMap { ($0 as? NSNumber)?.doubleValue }
    }

    func confirm(_ url: String, tag: String, count: Int) async throws -> Int {
        try process.send(["confirm", url, tag, count]).first as? Int ?? 0
    }

    func cancel(_ base: String, count: Int) throws -> Double {
        (try process.send(["cancel", base, count]).first as? NSNumber)?.doubleValue ?? .nan
    }
}
