import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files in which Linux reports how short memory is. Other systems have none of them.
struct PressurePlaces: Equatable {
    /// Files of pressure stall information, of the control group and of the machine. All are watched: a limit of the group
    /// does not show in the machine's file, nor what other groups take in the group's.
    var stallFiles: [String] = []
    /// The folders of the control group and of its ancestors, whose limits apply too.
    var groups: [String] = []

    /// The files for this process.
    ///
    /// - Parameters:
    ///   - root: stands for `/`.
    ///   - environment: `MEMORY_PRESSURE_WATCH` is the file that systemd lets this process write, or `/dev/null` to watch
    ///     nothing (systemd's MEMORY_PRESSURE protocol).
    static func ofSystem(
        root: String = "", environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> PressurePlaces {
        let given = environment["MEMORY_PRESSURE_WATCH"]
        guard given != "/dev/null" else { return PressurePlaces() }
        let text = ControlGroups.text(of: root + "/proc/self/cgroup") ?? ""
        // Where both versions are in use, the second has a folder of its own.
        let groups = (ControlGroups(text).unified?.paths ?? []).flatMap { path in
            ["/sys/fs/cgroup" + path, "/sys/fs/cgroup/unified" + path].map { root + $0 }
        }
        let own = groups.suffix(2).map { $0 + "/memory.pressure" }
        return PressurePlaces(
            stallFiles: (given.map { [$0] } ?? own) + [root + "/proc/pressure/memory"], groups: groups)
    }
}

/// What is written to a file of pressure stall information so that the kernel reports when tasks wait too long for memory.
struct StallTrigger {
    let text: String
    let pressure: MemoryPressure

    /// Both at 7 % of the time, as Android's low memory killer has it (70 ms of a second). The window is 2 s because an
    /// unprivileged process may use multiples of that alone.
    ///
    /// "some": at least one task waits. "full": all tasks wait.
    static let all = [
        StallTrigger(text: "some 140000 2000000", pressure: .warning),
        StallTrigger(text: "full 140000 2000000", pressure: .critical),
    ]

    /// Opens a descriptor that polls as `POLLPRI` at each such stall. Returns `nil` where the file is missing or takes no
    /// trigger.
    func open(_ path: String) -> Int32? {
        let file = systemOpen(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // With its end: the kernel puts one in place of the last byte.
        let bytes = Array(text.utf8) + [0]
        guard systemWrite(file, bytes, bytes.count) == bytes.count else {
            close(file)
            return nil
        }
        return file
    }
}

/// Drops reports that follow one that was at least as grave within ten seconds.
///
/// The kernel reports every two seconds while it lasts, and each time a cache keeps but a share of its contents: it would be
/// empty before the memory that it gave back could show.
struct PressureFilter {
    static let quiet: Duration = .seconds(10)

    private var last: (pressure: MemoryPressure, time: Duration)?

    /// Whether to pass on a report at this time since some fixed moment.
    mutating func admits(_ pressure: MemoryPressure, at now: Duration) -> Bool {
        if let last, now - last.time < Self.quiet, pressure.keptShare >= last.pressure.keptShare { return false }
        last = (pressure, now)
        return true
    }
}
