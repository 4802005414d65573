import CBenchmark
import Foundation

/// The memory that a round takes, from Linux's process statistics. Unavailable on other systems.
struct MemoryUse {
    private let place: Contestant.Place
    private let before: Int

    /// Starts measuring, and resets the peak.
    init?(_ place: Contestant.Place) {
        self.place = place
        if case .commands = place {
            Tool.peak.forget()
            before = 0
            return
        }
        guard let folder = Self.folder(of: place), Self.write("5", to: folder + "/clear_refs"),
            let resident = Self.bytes("VmRSS", folder)
        else { return nil }
        before = resident
    }

    /// The peak resident memory since the start: the growth of existing processes, or the total of the largest command.
    var growth: Int? {
        if case .commands = place { return Tool.peak.bytes }
        return Self.folder(of: place).flatMap { Self.bytes("VmHWM", $0) }.map { max(0, $0 - before) }
    }

    /// Returns the peak memory of a process, or of its largest child.
    static func peak(ofProcessAndChildren process: Int32) -> Int {
        let folder = "/proc/\(process)"
        let children = FileManager.default.contents(atPath: "\(folder)/task/\(process)/children") ?? Data()
        let peaks = String(decoding: children, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
            .map(peak(ofProcessAndChildren:))
        return ([bytes("VmHWM", folder) ?? 0] + peaks).max() ?? 0
    }

    private static func folder(of place: Contestant.Place) -> String? {
        switch place {
        case .thisProcess: "/proc/self"
        case .process(let number): "/proc/\(number)"
        case .commands, .servers: nil
        }
    }

    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten = fputs(text, file) >= 0
        return fclose(file) == 0 && isWritten
    }

    /// Parses a line such as `VmRSS:      1234 kB`.
    private static func bytes(_ name: String, _ folder: String) -> Int? {
        guard let data = FileManager.default.contents(atPath: folder + "/status") else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}

/// The number of allocations of this process.
enum Allocations {
    static func begin() { benchmark_count_allocations() }

    /// Stops counting. Returns the number, or `nil` if allocations cannot be counted.
    static func end() -> Int? {
        let count = Int(benchmark_counted_allocations())
        return count < 0 ? nil : count
    }

    /// Returns free memory to the system, so that later growth is visible.
    static func trim() { benchmark_trim() }
}
