#if Server
import Foundation
import TestSupport

typealias WireConnection = TCPConnection

extension TCPConnection {
    /// Sends a request and reads its response.
    func request(
        _ target: String, method: String = "GET", _ fields: [String: String] = [:]
    ) async throws -> WireResponse {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + fields.map { "\($0): \($1)" }
        try await send((lines + ["", ""]).joined(separator: "\r\n"))
        return try await response(hasBody: method != "HEAD")
    }

    /// Reads a response.
    func response(hasBody: Bool = true) async throws -> WireResponse {
        try await read { receive in
            var bytes: [UInt8] = []
            let end = Array("\r\n\r\n".utf8)
            while !bytes.suffix(4).elementsEqual(end) {
                let more = try receive(1)
                if more.isEmpty { throw Failure(call: "head", number: 0) }
                bytes += more
            }
            var response = WireResponse(head: String(decoding: bytes, as: UTF8.self))
            let length = hasBody && response.status != 304 ? Int(response["content-length"] ?? "") ?? 0 : 0
            while response.body.count < length {
                let more = try receive(length - response.body.count)
                if more.isEmpty { throw Failure(call: "body", number: 0) }
                response.body.append(contentsOf: more)
            }
            return response
        }
    }

    /// Waits until the server closes the connection. Returns the bytes before that.
    func waitForEnd() async throws -> Int {
        try await read { receive in
            var count = 0
            while true {
                let more: [UInt8]
                do { more = try receive(65_536) } catch let failure as Failure {
                    if failure.number == ECONNRESET { return count }
                    throw failure
                }
                if more.isEmpty { return count }
                count += more.count
            }
        }
    }
}

/// A response as it was received.
struct WireResponse: Sendable {
    let status: Int
    let fields: [String: String]
    var body = Data()

    init(head: String) {
        let lines = head.components(separatedBy: "\r\n")
        status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        fields = Dictionary(
            lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                return (line[..<colon].lowercased(), String(value))
            }, uniquingKeysWith: { $0 + ", " + $1 })
    }

    subscript(name: String) -> String? { fields[name] }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The `code` of a problem.
    var code: String? {
        ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any])?["code"] as? String
    }
}
#endif
