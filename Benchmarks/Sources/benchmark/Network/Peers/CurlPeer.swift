import Foundation

/// The command curl, with a process for each work, whose start counts.
final class CurlPeer: NetworkPeer {
    let name = "curl --parallel"
    let place = Contestant.Place.commands
    private let path: String
    private let certificate: String

    init(certificate: String) throws {
        path = try Tool.require("curl")
        self.certificate = certificate
    }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        let sizes = try Tool.run(
            path, "--silent", "--parallel", "--parallel-max", String(atATime), "--cacert", certificate, "--output",
            "/dev/null", "--write-out", "%{size_download}\n", base + "[0-\(count - 1)]")
        return sizes.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
    }

    func latencies(_ base: String, count: Int) async throws -> [Double] { [] }
    func confirm(_ url: String, tag: String, count: Int) async throws -> Int { 0 }
}
