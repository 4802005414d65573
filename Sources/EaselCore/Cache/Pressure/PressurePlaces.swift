import EaselFoundation

/// Where Linux tells how short memory is. On other systems there are none of these files.
struct PressurePlaces: Equatable {
    /// Files of pressure stall information, of the process's control group and of the machine. All are asked: a limit of the
    /// group's own does not show in the machine's, nor does another group's greed in its own.
    var stallFiles: [String] = []
    /// The folders of the control group and of those above it, whose limits bind it too.
    var groups: [String] = []

    /// Where this system tells it to this process.
    ///
    /// - Parameters:
    ///   - root: what stands for `/`.
    ///   - environment: `MEMORY_PRESSURE_WATCH` names the file that systemd lets this process write, or `/dev/null` where
    ///     nothing shall be watched (systemd's MEMORY_PRESSURE protocol).
    static func ofSystem(
        root: String = "", environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> PressurePlaces {
        let given = environment["MEMORY_PRESSURE_WATCH"]
        guard given != "/dev/null" else { return PressurePlaces() }
        let text = (try? readFile(root + "/proc/self/cgroup", limit: 65_536)).map {
            String(decoding: $0, as: UTF8.self)
        }
        // Where both versions are in use, the second has a folder of its own.
        let groups = (ControlGroups(text ?? "").unified?.paths ?? []).flatMap { path in
            ["/sys/fs/cgroup" + path, "/sys/fs/cgroup/unified" + path].map { root + $0 }
        }
        let own = groups.suffix(2).map { $0 + "/memory.pressure" }
        return PressurePlaces(
            stallFiles: (given.map { [$0] } ?? own) + [root + "/proc/pressure/memory"], groups: groups)
    }
}
