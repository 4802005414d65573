import EaselFoundation

/// Which machine this is: pixels in a file are of use to the machine that wrote them.
struct MachineIdentity: Sendable, Hashable {
    var machine: UInt64

    /// This machine's, read once.
    static let current = MachineIdentity { path in
        (try? readFile(path, limit: 4096)).map { String(decoding: $0, as: UTF8.self) }
    }

    init(machine: UInt64) {
        self.machine = machine
    }

    /// - Parameter read: gives the text of a file, or `nil`.
    init(read: (_ path: String) -> String?) {
        let name = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(read).first
        machine = Digest(of: (name ?? ProcessInfo.processInfo.hostName) + " " + Self.layout).low
    }

    /// What makes the same bytes other pixels.
    private static let layout =
        "\(MemoryLayout<Int>.size * 8) bits, \(Int(1).littleEndian == 1 ? "little" : "big")-endian"
}
