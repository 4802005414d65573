import Foundation

/// The duration and seed of randomized tests: `EASEL_SOAK` makes them long, and `EASEL_SEED` repeats a run.
enum Soak {
    static let isOn = ProcessInfo.processInfo.environment["EASEL_SOAK"] != nil
    static let duration = isOn ? Duration.seconds(300) : .seconds(2)

    /// Returns and prints a new seed, or the one of `EASEL_SEED`.
    static func seed(_ name: String) -> UInt64 {
        let requested = ProcessInfo.processInfo.environment["EASEL_SEED"].flatMap { UInt64($0) }
        let seed = requested ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(name): EASEL_SEED=\(seed)")
        return seed
    }

    /// The resident memory of this process in bytes, or `nil` if the system does not report it.
    static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }

    /// The number of open descriptors of this process.
    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
}
