#if Server
import Foundation
#if canImport(Glibc)
import Glibc
#endif

/// A raw TCP client. Its calls block, so each runs on a thread of its own.
final class WireConnection: Sendable {
    struct Failure: Error {
        let call: String
        let number: Int32
    }

    private let descriptor: Int32

    init(port: Int, receiveBuffer: Int? = nil) async throws {
        descriptor = try await Self.blocking { try Self.connect(port: port, receiveBuffer: receiveBuffer) }
    }

    deinit { Foundation.close(descriptor) }

    func send(_ text: String) async throws {
        try await Self.blocking { [descriptor] in
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(call: "send", number: errno) }
                bytes = bytes.dropFirst(count)
            }
        }
    }

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
        try await Self.blocking { [descriptor] in
            var bytes: [UInt8] = []
            let end = Array("\r\n\r\n".utf8)
            while !bytes.suffix(4).elementsEqual(end) {
                let more = try Self.receive(descriptor, 1)
                if more.isEmpty { throw Failure(call: "head", number: 0) }
                bytes += more
            }
            var response = WireResponse(head: String(decoding: bytes, as: UTF8.self))
            let length = hasBody && response.status != 304 ? Int(response["content-length"] ?? "") ?? 0 : 0
            while response.body.count < length {
                let more = try Self.receive(descriptor, length - response.body.count)
                if more.isEmpty { throw Failure(call: "body", number: 0) }
                response.body.append(contentsOf: more)
            }
            return response
        }
    }

    /// Waits until the server closes the connection. Returns the bytes before that.
    func waitForEnd() async throws -> Int {
        try await Self.blocking { [descriptor] in
            var count = 0
            while true {
                let more: [UInt8]
                do { more = try Self.receive(descriptor, 65_536) } catch let failure as Failure {
                    if failure.number == ECONNRESET { return count }
                    throw failure
                }
                if more.isEmpty { return count }
                count += more.count
            }
        }
    }

    /// Shuts the connection down.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func connect(port: Int, receiveBuffer: Int?) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer.map({ Int32($0) }) {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let number = errno
            _ = Foundation.close(descriptor)
            throw Failure(call: "connect", number: number)
        }
        return descriptor
    }

    private static func receive(_ descriptor: Int32, _ count: Int) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
        let received = recv(descriptor, &buffer, buffer.count, 0)
        guard received >= 0 else { throw Failure(call: "recv", number: errno) }
        return Array(buffer.prefix(received))
    }

    static func blocking<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
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
