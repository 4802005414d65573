import EaselCore

/// A message from a worker or from the zygote that started it. Its contents are untrusted.
enum WorkerAnswer: Sendable, Hashable {
    /// The worker is restricted and accepts jobs. The first message.
    case ready(version: UInt32, SandboxRestrictions)
    /// The job is done. The result is at the start of the memory.
    case done(job: UInt64, resultByteCount: Int)
    /// The pixels need memory of this length. The result without pixels is at the start of the present memory.
    case needsMemory(job: UInt64, resultByteCount: Int, memoryByteCount: Int)
    /// The worker needs the whole file, as it does not have the animation open, or the earlier parts of a file.
    case needsFile(job: UInt64)
    /// The decoder threw an error. The result is the error.
    case failed(job: UInt64, resultByteCount: Int)
    /// The worker could not be started.
    case notStarted(code: Int32)
    /// The worker ended with this status from `waitpid`.
    case ended(status: Int32)

    /// The length of every message in bytes.
    static let byteCount = 32

    var message: [UInt8] {
        let fields: (UInt32, UInt64, Int, Int) =
            switch self {
            case .ready(let version, let restrictions):
                (0, UInt64(version), Int(restrictions.bits), restrictions.landlockVersion)
            case .done(let job, let count): (1, job, count, 0)
            case .needsMemory(let job, let count, let memory): (2, job, count, memory)
            case .needsFile(let job): (3, job, 0, 0)
            case .failed(let job, let count): (4, job, count, 0)
            case .notStarted(let code): (5, 0, Int(code), 0)
            case .ended(let status): (6, 0, Int(status), 0)
            }
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.write(fields.0)
        writer.write(UInt32(0))
        writer.write(fields.1)
        writer.write(Int64(fields.2))
        writer.write(Int64(fields.3))
        return writer.bytes
    }

    /// Reads a message. Fails for any other bytes.
    init?(message: [UInt8]) {
        var reader = ByteReader(message)
        guard let kind = reader.read(UInt32.self), reader.read(UInt32.self) == 0, let job = reader.read(UInt64.self),
            let first = reader.read(Int64.self), let second = reader.read(Int64.self), reader.isAtEnd,
            first >= 0, second >= 0
        else { return nil }
        let (count, memory) = (Int(first), Int(second))
        switch kind {
        case 0:
            guard let version = UInt32(exactly: job), let bits = UInt8(exactly: count) else { return nil }
            self = .ready(version: version, SandboxRestrictions(bits: bits, landlockVersion: memory))
        case 1: self = .done(job: job, resultByteCount: count)
        case 2: self = .needsMemory(job: job, resultByteCount: count, memoryByteCount: memory)
        case 3: self = .needsFile(job: job)
        case 4: self = .failed(job: job, resultByteCount: count)
        case 5: self = .notStarted(code: Int32(clamping: count))
        case 6: self = .ended(status: Int32(clamping: count))
        default: return nil
        }
    }
}

/// The version of the messages. Workers with another version are not used.
let protocolVersion: UInt32 = 2

/// The restrictions in force in a worker.
public struct SandboxRestrictions: Sendable, Hashable {
    let bits: UInt8
    /// The landlock version of the kernel; 0 for none.
    public let landlockVersion: Int

    /// Whether seccomp allows only the system calls that a decoder needs.
    public var hasSeccomp: Bool { bits & 1 != 0 }
    /// Whether landlock denies access to files and the network, except fonts for SVG.
    public var hasLandlock: Bool { bits & 2 != 0 }
    /// Whether memory, processor time and descriptors are limited.
    public var hasLimits: Bool { bits & 4 != 0 }
    /// Whether all restrictions are in force.
    public var areComplete: Bool { hasSeccomp && hasLandlock && hasLimits }

    /// Explains which restriction is missing, or `nil` if all are in force.
    var shortcoming: String? {
        if !hasSeccomp { return "The kernel refuses seccomp filters." }
        if !hasLandlock { return "The kernel does not support landlock, or refuses it." }
        return hasLimits ? nil : "The kernel refuses resource limits."
    }
}
