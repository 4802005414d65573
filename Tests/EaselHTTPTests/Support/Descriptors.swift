import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// This process's open descriptors. Counted by where they lead, so that tests that run beside do not matter.
enum Descriptors {
    /// The sockets that are connected to `port`, from the client's side.
    static func connected(to port: Int) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { peerPort(of: $0) == port }
    }

    /// Whether a process that is started now would get it too.
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
