import Foundation
import Testing

/// System calls that the kernel refuses to the command, by a filter that another process installs before it becomes the command.
struct RefusedCalls: Sendable, CustomTestStringConvertible {
    /// As `refuse-calls` names them.
    let calls: [String]
    /// The name of the error that they fail with.
    let error: String

    /// All calls on the attributes of files.
    static let attributes = [
        "fgetxattr", "fsetxattr", "getxattr", "setxattr", "lgetxattr", "lsetxattr", "flistxattr", "listxattr",
        "llistxattr",
        "fremovexattr",
    ]

    var testDescription: String { "\(calls.joined(separator: ", ")): \(error)" }

    /// Starts a command without these calls.
    var starter: [String] { [Self.path, error, calls.joined(separator: ",")] }

    /// Beside the tests themselves.
    private static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "refuse-calls").path

    /// Whether this system lets a process refuse calls to itself.
    fileprivate static let areAvailable = Task {
        try await RunningCommand.run(
            ["--version"], through: RefusedCalls(calls: ["ioprio_set"], error: "ENOSYS").starter
        ).status == 0
    }
}

extension Trait where Self == ConditionTrait {
    static var refusingCalls: Self {
        .enabled("this system has no filters of system calls (seccomp)") {
            (try? await RefusedCalls.areAvailable.value) == true
        }
    }
}
