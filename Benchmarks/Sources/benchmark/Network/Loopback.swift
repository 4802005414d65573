import Foundation

/// Ports of this machine.
enum Loopback {
    /// Returns an unused port.
    static func freePort() throws -> UInt16 {
        let silent = try SilentServer(backlog: 0)
        defer { silent.stop() }
        return silent.port
    }

    static func isListening(_ port: UInt16) -> Bool {
        let socket = openSocket()
        defer { close(socket) }
        return withAddress(port) { connect(socket, $0, $1) } == 0
    }

    static func openSocket() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A server that accepts connections and never responds.
struct SilentServer {
    let port: UInt16
    private let socket: Int32

    init(backlog: Int32 = 1024) throws {
        socket = Loopback.openSocket()
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                Loopback.withAddress(0) { bind(socket, $0, $1) } == 0 && listen(socket, backlog) == 0
                    ? getsockname(socket, name, &length) : -1
            }
        }
        guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }
    func stop() { close(socket) }
}
