/// The control groups of a process, from `/proc/self/cgroup`.
struct ControlGroups {
    /// A line of that file: `number:controllers:path`.
    struct Membership {
        /// Empty for the unified hierarchy, version 2.
        var controllers: [Substring]
        /// The paths of the ancestors, from the root's, which is empty, and of the group. In a container the path may
        /// be that of the host, of which only the root is visible. Components `..` are removed: they lead out of the
        /// namespace of the process.
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

    /// Returns the text of one of the kernel's files.
    static func text(of path: String) -> String? {
        (try? readFile(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    var unified: Membership? { memberships.first { $0.controllers.isEmpty } }

    /// Returns the folders of a controller in the hierarchies of both versions, with those of the ancestors, whose
    /// limits apply too.
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
