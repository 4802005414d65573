/// The control groups of a process, from `/proc/self/cgroup`.
struct ControlGroups {
    /// A line of that file: `number:controllers:path`.
    struct Membership {
        /// Empty for the unified hierarchy, version 2.
        var controllers: [Substring]
        /// The paths of the ancestors, from the root's, which is empty, and of the group. In a container the path may be the one outside,
        /// of which only the root is visible. Steps out of the namespace of the process are left out.
        var paths: [String]
    }

    let memberships: [Membership]

    init(_ text: String) {
        memberships = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let names = fields[2].split(separator: "/").filter { $0 != ".." }
            let paths = (0...names.count).map { count in names.prefix(count).map { "/" + $0 }.joined() }
            return Membership(controllers: fields[1].split(separator: ","), paths: paths)
        }
    }

    /// Reads one of the kernel's files.
    static func text(of path: String) -> String? {
        (try? readFile(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    var unified: Membership? { memberships.first { $0.controllers.isEmpty } }

    /// Returns the folders of a controller in the hierarchies of both versions, with those of the ancestors, whose limits apply too.
    func folders(of controller: String) -> (version2: [String], version1: [String]) {
        var folders: (version2: [String], version1: [String]) = ([], [])
        for membership in memberships {
            if membership.controllers.isEmpty {
                folders.version2 += membership.paths.map { "/sys/fs/cgroup" + $0 }
            } else if membership.controllers.contains(where: { $0 == controller }) {
                folders.version1 += membership.paths.map { "/sys/fs/cgroup/" + controller + $0 }
            }
        }
        return folders
    }
}

/// The memory counters of a control group, for kernels that do not report how long tasks wait for memory.
struct GroupMemory: Equatable {
    /// How often the group had to reclaim memory, at its soft and its hard limit.
    var reclaims = 0
    /// How often the group ran out of memory, and how often a process was ended for it.
    var failures = 0
    /// The share of the limit that cannot simply be dropped, from 0 to 1; `nil` if it is unknown.
    var boundShare: Double?

    /// - Parameter read: Returns the text of one of the group's files.
    /// - Returns: `nil` for a group without `memory.events`, such as the root.
    init?(_ read: (_ name: String) -> String?) {
        guard let events = read("memory.events").map(Self.fields), let atMost = events["max"] else { return nil }
        reclaims = (events["high"] ?? 0) + atMost
        failures = (events["oom"] ?? 0) + (events["oom_kill"] ?? 0)
        let limits = ["memory.high", "memory.max"].compactMap { read($0).flatMap(Self.number) }
        if let limit = limits.min(), limit > 0, let used = read("memory.current").flatMap(Self.number),
            let parts = read("memory.stat").map(Self.fields)
        {
            let droppable = max(0, (parts["file"] ?? 0) - (parts["shmem"] ?? 0))
            boundShare = Double(max(0, used - droppable)) / Double(limit)
        }
    }

    /// Returns the pressure that the changes since `before` show.
    ///
    /// Reclaims are not enough: a group that reads files fills its limit with cached pages, and drops these without harm.
    func pressure(since before: GroupMemory) -> MemoryPressure? {
        if failures > before.failures { return .critical }
        guard reclaims > before.reclaims else { return nil }
        switch boundShare {
        case .some(0.9...): return .critical
        case .some(..<0.7): return nil
        default: return .warning
        }
    }

    private static func fields(_ text: String) -> [Substring: Int] {
        var fields: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { fields[words[0]] = number }
        }
        return fields
    }

    /// `nil` for `max`, which is no limit.
    private static func number(_ text: String) -> Int? { Int(text.prefix { !$0.isNewline }) }
}
