import Foundation

/// The command curl, a process for each piece of work: it keeps nothing, and its start counts.
final class CurlPeer: NetworkPeer {
    let name = "curl --parallel"
    private let path: String
    private let certificate: String

    init(certificate: String) throws {
        guard let path = Tool.find("curl") else { throw MissingPeer(name: "curl", reason: "it is not installed.") }
        self.path = path
        self.certificate = certificate
    }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        let sizes = try Tool.run(
            path, "--silent", "--parallel", "--parallel-max", String(atATime), "--cacert", certificate, "--output",
            "/dev/null", "--write-out", "%{size_download}\n", base + "[0-\(count - 1)]")
        return sizes.split(separator: "\n").compactMap { Int($0) }.reduce(0, +)
    }

    func latencies(_ url: String, count: Int) async throws -> [Double] { [] }
    func confirm(_ url: String, tag: String, count: Int) async throws -> Int { 0 }
}
