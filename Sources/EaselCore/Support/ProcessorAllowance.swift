import CEaselSystem

/// The processors that this process may use: as many decodes run at a time.
package let coreCount = ProcessorAllowance.ofProcess.count

/// How many processors a process may use.
struct ProcessorAllowance: Sendable {
    let count: Int

    /// That of this process, read once.
    static let ofProcess = ProcessorAllowance(usable: Int(easel_processor_count())) { ControlGroups.text(of: $0) }

    /// - Parameters:
    ///   - usable: the processors that the scheduler may run the process on.
    ///   - read: gives the text of a file, or `nil`. Where there are no control groups, there are none of their files.
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

    /// The processors that a quota of time in each period is worth: 1.5 are 2. `max`, -1, and what is no number limit nothing.
    private static func limit(_ text: String) -> Int? {
        let numbers = text.split(whereSeparator: \.isWhitespace).map { Int($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else {
            return nil
        }
        let (whole, rest) = quota.quotientAndRemainder(dividingBy: period)
        return rest == 0 ? whole : whole + 1
    }
}
