import Foundation

/// An origin with latency: each response and each connection takes 40 ms longer.
final class FarOrigin {
    let url: String
    private let process: TiedProcess

    init(_ script: [String], of origin: ViewOrigin) throws {
        let port = try Loopback.freePort()
        url = "http://127.0.0.1:\(port)"
        process = try TiedProcess(script + ["\(port)", "\(origin.port)", "0.04"])
        for _ in 0..<1000 where !Loopback.isListening(port) { usleep(10_000) }
    }
}
