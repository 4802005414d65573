#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which machine this is, and which start of it: what is mapped from a file is never another machine's, and what was
/// written before the last start is checked as a whole, because only then can the disk have lost a part of it.
struct MachineIdentity: Sendable, Hashable {
    var machine: UInt64
    /// `nil` where the system does not tell.
    var start: UInt64?

    /// This machine's, read once.
    static let current = MachineIdentity { path in
        (try? readFile(path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter read: gives the text of a file, or `nil`.
    init(read: (_ path: String) -> String?) {
        let name = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(read).first
        machine = Digest(of: (name ?? ProcessInfo.processInfo.hostName) + " " + Self.layout).low
        start = read("/proc/sys/kernel/random/boot_id").map { Digest(of: $0).low }
    }

    /// What makes the same bytes other pixels.
    private static let layout =
        "\(MemoryLayout<Int>.size * 8) bits, \(Int(1).littleEndian == 1 ? "little" : "big")-endian"
}
