import Foundation

/// A TCP connection to a port of this machine, for tests of the exact bytes that a server sends and of how a connection
/// ends.
///
/// Its calls block, so each runs on a separate thread rather than one of the cooperative pool.
package final class TCPConnection: Sendable {
    package struct Failure: Error {
        package let call: String
        package let number: Int32

        package init(call: String, number: Int32) {
            self.call = call
            self.number = number
        }
    }

    private let descriptor: Int32

    /// Connects to a port. A read fails after 20 seconds without a byte.
    package init(port: Int, receiveBuffer: Int? = nil) async throws {
        descriptor = try await Self.blocking { try Self.connect(port: port, receiveBuffer: receiveBuffer) }
    }

    deinit { close(descriptor) }

    package func send(_ text: String) async throws {
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

    /// Runs `body` with a function that returns up to `count` bytes, or none at the end.
    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (_ receive: (_ count: Int) throws -> [UInt8]) throws -> Result
    ) async throws -> Result {
        try await Self.blocking { [descriptor] in
            try body { count in
                var buffer = [UInt8](repeating: 0, count: min(count, 65_536))
                let received = recv(descriptor, &buffer, buffer.count, 0)
                guard received >= 0 else { throw Failure(call: "recv", number: errno) }
                return Array(buffer.prefix(received))
            }
        }
    }

    /// Shuts the connection down.
    package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

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
            let failure = Failure(call: "connect", number: errno)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Runs `work` on a new thread.
    package static func blocking<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }
}
