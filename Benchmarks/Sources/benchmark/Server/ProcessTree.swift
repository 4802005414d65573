import Foundation

/// A process with its children and theirs, from Linux's process statistics.
struct ProcessTree {
    /// The first process.
    let root: Int32

    /// All processes of the tree.
    var members: [Int32] {
        var children: [Int32: [Int32]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let number = Int32(name), let parent = Self.fields(of: number)?.first.flatMap({ Int32($0) }) else {
                continue
            }
            children[parent, default: []].append(number)
        }
        var found = [root], index = 0
        while index < found.count {
            found += children[found[index]] ?? []
            index += 1
        }
        return found
    }

    /// The processor time of all processes, and of their children that have ended, in nanoseconds.
    var processorTime: Double {
        let ticks = members.compactMap { Self.fields(of: $0) }.map { fields in
            // utime, stime, cutime and cstime.
            fields.dropFirst(10).prefix(4).compactMap { Double($0) }.reduce(0, +)
        }
        return ticks.reduce(0, +) * 1e9 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The memory of all processes. A page that several share counts once.
    var memory: Int {
        members.map { number in
            guard let data = FileManager.default.contents(atPath: "/proc/\(number)/smaps_rollup") else { return 0 }
            let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
        }.reduce(0, +)
    }

    /// Returns the fields of `stat` from the parent on.
    private static func fields(of process: Int32) -> [Substring]? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        // The name, in parentheses, may contain spaces.
        guard let end = text.lastIndex(of: ")") else { return nil }
        return Array(text[text.index(after: end)...].split(separator: " ").dropFirst())
    }
}
