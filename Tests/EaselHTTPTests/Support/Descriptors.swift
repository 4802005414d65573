import Foundation

/// The open descriptors of this process, selected by peer so that parallel tests do not matter.
enum Descriptors {
    /// Returns the client sockets that are connected to `port`.
    static func connected(to port: Int) throws -> [Int32] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return names.compactMap { Int32($0) }.filter { peerPort(of: $0) == port }
    }

    /// Returns whether a new child process would inherit the descriptor.
    static func isInherited(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 }

    private static func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard code == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
