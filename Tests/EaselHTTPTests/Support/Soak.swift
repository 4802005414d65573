import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// How long what goes by chance goes on, and from which seed: `EASEL_SOAK` makes it long, `EASEL_SEED` repeats it.
enum Soak {
    static let isOn = ProcessInfo.processInfo.environment["EASEL_SOAK"] != nil
    static let duration = isOn ? Duration.seconds(300) : .seconds(2)

    /// A new seed each time, which is printed.
    static func seed(_ name: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["EASEL_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(name): EASEL_SEED=\(seed)")
        return seed
    }

    /// The memory that this process has in use, in bytes; `nil` where the system does not tell so.
    static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }

    /// How many descriptors this process has open.
    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
    }
}
