import Easel
import Foundation

/// Results that Easel's server keeps in memory or on disk, compared with nginx, which serves the same bytes from files.
/// wrk sends the requests.
struct HotResults {
    private static let connections = 64
    private static let seconds = Scale.pick(4, quick: 1)

    private struct Server {
        var process: ImageServerProcess
        var urls: [String]
    }

    private let wrk: String
    private let photographs: ServerPhotographs
    private let servers: [Server]

    @Sendable static func works() async throws -> [Work] {
        let memory = try await HotResults(try ImageServers.easel(memory: 256))
        let disk = try await HotResults(try ImageServers.easel(cache: try ScratchFolder.make("results")))
        let count = ServerPhotographs.count
        return memory.rows("hot, one file", fileCount: 1) + memory.rows("hot, \(count) files", fileCount: count)
            + disk.rows("from disk, \(count) files", fileCount: count)
    }

    private init(_ easel: ImageServerProcess) async throws {
        wrk = try Tool.require("wrk")
        photographs = try ServerPhotographs()
        let images = photographs.images(.jpeg)
        let load = ServerLoad(connections: 2)
        let folder = try ScratchFolder.make("files")
        // The first requests make the results.
        for (number, image) in images.enumerated() {
            try await load.get(easel.url(image)).write(to: URL(filePath: "\(folder)/\(number)"))
        }
        let nginx = try ImageServers.nginx(serving: folder)
        servers = [
            Server(process: easel, urls: images.map(easel.url)),
            Server(
                process: nginx,
                urls: images.indices.map { nginx.url(ServedImage(source: "\($0)", format: .jpeg)) }),
        ]
    }

    private func rows(_ title: String, fileCount: Int) -> [Work] {
        Samples.rows(ServerGroup.name, "\(title), \(Self.connections) connections", servers.map(\.process)) { index in
            try measure(servers[index], fileCount: fileCount)
        }
    }

    private func measure(_ server: Server, fileCount: Int) throws -> ServerLoad.Sample {
        let script = try ScratchFolder.make("wrk") + "/requests.lua"
        try Self.script(server.urls.prefix(fileCount)).write(toFile: script, atomically: true, encoding: .utf8)
        let before = server.process.tree.processorTime
        let output = try Tool.run(
            wrk, "-t1", "-c\(Self.connections)", "-d\(Self.seconds)s", "-s", script, server.urls[0])
        let used = server.process.tree.processorTime - before
        // The last line: the number of responses, that of errors, and microseconds.
        let numbers = (output.split(separator: "\n").last ?? "").split(whereSeparator: \.isWhitespace).compactMap {
            Double($0)
        }
        guard numbers.count == 3, numbers[0] > 0, numbers[1] == 0 else {
            throw WrongResult(contestant: server.process.name, work: "hot results")
        }
        return ServerLoad.Sample(
            perSecond: numbers[0] / numbers[2] * 1e6, processorTime: used / numbers[0],
            peakMemory: server.process.tree.memory)
    }

    /// Requests the URLs in turn, and prints the numbers of responses, errors and microseconds.
    private static func script(_ urls: some Sequence<String>) -> String {
        // Without the scheme and the address.
        let paths = urls.map { "\"/" + $0.split(separator: "/", maxSplits: 2).dropFirst(2).joined() + "\"" }
        return """
            local paths = { \(paths.joined(separator: ", ")) }
            local requests, index = {}, 0
            function init()
                for number, path in ipairs(paths) do requests[number] = wrk.format("GET", path) end
            end
            function request()
                index = index % #requests + 1
                return requests[index]
            end
            function done(summary)
                local errors = summary.errors
                print(summary.requests, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
                    summary.duration)
            end
            """
    }
}
