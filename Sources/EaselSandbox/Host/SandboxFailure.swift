import EaselCore
import EaselFoundation

/// The reason why a sandbox returns no result.
enum SandboxFailure: Error {
    /// The sandbox cannot be used. No worker has received the file.
    case unavailable(String)
    /// The system lacks descriptors or memory for this job. It is not done in this process instead.
    case exhausted(String)
    /// The decoder threw this error, or the result cannot be used.
    case image(ImageError)
    /// The worker did not answer before the deadline.
    case deadline
    case cancelled
    /// The worker ended with this status from `waitpid`. `nil` if all workers ended, which no file can cause.
    case ended(status: Int32?)
    /// The worker sent anything other than a valid answer.
    case violation

    /// Returns the failure of a call of the system. A call that is not allowed is no lack of resources.
    static func system(_ message: String, _ code: Int32) -> SandboxFailure {
        let text = "\(message): \(SharedMemory.reason(code))."
        return [ENOSYS, EPERM, EACCES, EINVAL, ENOTSUP].contains(code) ? .unavailable(text) : .exhausted(text)
    }

    /// Whether the worker can run another job.
    var keepsWorker: Bool { if case .image = self { true } else { false } }

    /// Whether the file caused the end of the worker.
    var isCrash: Bool {
        switch self {
        case .ended(.some), .violation: true
        default: false
        }
    }

    /// The cause for statistics: the name of the signal, `exit`, `invalidAnswer` or `unknown`. `nil` without a crash.
    var crashCause: String? {
        switch self {
        case .ended(nil): "unknown"
        case .ended(let status?): status & 0x7F == 0 ? "exit" : Self.signalName(status & 0x7F)
        case .violation: "invalidAnswer"
        default: nil
        }
    }

    /// Returns the error for the caller of the decoder.
    func error(of format: ImageFormat, limit: Duration) -> ImageError {
        switch self {
        case .unavailable(let reason), .exhausted(let reason):
            .unsupported("The sandbox is not available. \(reason)")
        case .image(let error): error
        case .deadline: .tooLarge(.time(limit: limit))
        case .cancelled: .cancelled
        case .ended(let status):
            .badData("The \(format.name) decoder \(Self.describe(status)). The image may be malicious.")
        case .violation:
            .badData("The \(format.name) decoder sent an invalid answer and was stopped. The image may be malicious.")
        }
    }

    private static func describe(_ status: Int32?) -> String {
        guard let status else { return "was stopped" }
        // Same as the macros WIFSIGNALED and WTERMSIG, which Swift cannot import.
        let signal = status & 0x7F
        guard signal != 0 else { return "ended with status \(status >> 8 & 0xFF)" }
        switch signalName(signal) {
        case "SIGSYS": return "used a forbidden system call (SIGSYS)"
        case "SIGKILL": return "was killed (SIGKILL), perhaps because memory ran out"
        case "SIGXCPU": return "used too much processor time (SIGXCPU)"
        case let name: return "crashed (\(name))"
        }
    }

    private static func signalName(_ signal: Int32) -> String {
        let names: [Int32: String] = [
            4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV",
            15: "SIGTERM", 24: "SIGXCPU", 31: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
