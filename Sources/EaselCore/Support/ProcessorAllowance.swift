import CEaselSystem

/// The number of processors that this process may use.
package let coreCount = ProcessorAllowance.ofProcess.count

/// The number of processors that a process may use.
struct ProcessorAllowance: Sendable {
    let count: Int

    static let ofProcess = ProcessorAllowance(usable: Int(easel_processor_count())) { ControlGroups.text(of: $0) }

    /// - Parameters:
    ///   - usable: The number of processors of the scheduler.
    ///   - read: Returns the text of a file of the control groups.
    init(usable: Int, read: (_ path: String) -> String?) {
        let folders = ControlGroups(read("/proc/self/cgroup") ?? "").folders(of: "cpu")
        let limits =
            folders.version2.compactMap { read($0 + "/cpu.max").flatMap(Self.limit) }
            + folders.version1.compactMap { folder in
                guard let quota = read(folder + "/cpu.cfs_quota_us"), let period = read(folder + "/cpu.cfs_period_us")
                else { return nil }
                return Self.limit(quota + " " + period)
            }
        count = max(1, limits.reduce(usable, min))
    }

    /// Returns the processors of a quota of time in each period, rounded up; `nil` for `max` and -1.
    private static func limit(_ text: String) -> Int? {
        let numbers = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else {
            return nil
        }
        return (quota - 1) / period + 1
    }
}
