import Foundation

/// A raw TCP client, for tests of the exact bytes that a server sends and of how a connection ends.
///
/// Its calls block, so each runs on a separate thread rather than one of the cooperative pool.
final class WireClient: Sendable {
    enum Ending: Equatable {
        /// FIN.
        case closed
        /// RST.
        case reset
        /// Nothing arrived for 10 seconds. A failure of the test.
        case silent
    }

    struct Failure: Error {
        let call: String
        let number: Int32
    }

    private let descriptor: Int32

    init(port: Int) async throws {
        descriptor = try await Self.blocking { try Self.connect(port: port) }
    }

    deinit { close() }

    /// Sends a GET with these additional lines.
    func get(_ target: String, _ lines: String...) async throws {
        try await send((["GET \(target) HTTP/1.1", "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n"))
    }

    func send(_ text: String) async throws {
        try await Self.blocking { [descriptor] in
            let bytes = Array(text.utf8)
            guard Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                throw Failure(call: "send", number: errno)
            }
        }
    }

    /// Reads until `count` bytes have arrived or the connection ends.
    func read(atLeast count: Int) async throws -> String {
        try await Self.blocking { [descriptor] in Self.text(Self.receive(descriptor, count).bytes) }
    }

    /// Reads until the text ends with `suffix` or the connection ends.
    func read(until suffix: String) async throws -> String {
        try await Self.blocking { [descriptor] in
            var bytes: [UInt8] = []
            while !bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) {
                let (more, ending) = Self.receive(descriptor, 1, capacity: 1)
                bytes += more
                if ending != nil { break }
            }
            return Self.text(bytes)
        }
    }

    /// Reads until the connection ends.
    func readToEnd() async throws -> (text: String, ending: Ending?) {
        try await Self.blocking { [descriptor] in
            let (bytes, ending) = Self.receive(descriptor, Int.max)
            return (Self.text(bytes), ending)
        }
    }

    /// Shuts the connection down.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func close() { _ = Foundation.close(descriptor) }

    /// Returns one character a byte, so that nothing is lost and counts are those of bytes.
    private static func text(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func connect(port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
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

    private static func receive(
        _ descriptor: Int32, _ count: Int, capacity: Int = 64 << 10
    ) -> (bytes: [UInt8], ending: Ending?) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: capacity)
        while bytes.count < count {
            let received = recv(descriptor, &buffer, buffer.count, 0)
            if received == 0 { return (bytes, .closed) }
            if received < 0 { return (bytes, errno == ECONNRESET ? .reset : .silent) }
            bytes += buffer.prefix(received)
        }
        return (bytes, nil)
    }

    private static func blocking<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }
}
