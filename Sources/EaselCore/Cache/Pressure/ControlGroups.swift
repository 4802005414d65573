/// The control groups that a process is in, as `/proc/self/cgroup` names them.
struct ControlGroups {
    /// A line of that file: `number:controllers:path`.
    struct Membership {
        /// None for the unified hierarchy, version 2.
        var controllers: [Substring]
        /// The group's path and those of the groups above it, the root's, which is empty, first. In a container the path may
        /// be the one outside, of which only the root is to be seen; one that leads out of the namespace of this process
        /// cannot be followed.
        var paths: [String]
    }

    var memberships: [Membership]

    init(_ text: String) {
        memberships = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return nil }
            let names = fields[2].split(separator: "/").filter { $0 != ".." }
            let paths = (0...names.count).map { count in names.prefix(count).map { "/" + $0 }.joined() }
            return Membership(controllers: fields[1].split(separator: ","), paths: paths)
        }
    }

    /// The text of a file of the system's, or `nil`.
    static func text(of path: String) -> String? {
        (try? readFile(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Of the unified hierarchy.
    var unified: Membership? { memberships.first { $0.controllers.isEmpty } }

    /// The folders that hold the limits of a controller, in the hierarchies of both versions: those of the groups of the process,
    /// and of the groups above, which limit it too.
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
