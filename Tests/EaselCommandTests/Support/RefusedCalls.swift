import Foundation
import Testing

/// System calls that the kernel refuses to the command. A process installs the filter before it executes the command.
struct RefusedCalls: Sendable, CustomTestStringConvertible {
    /// The calls by their names in `refuse-calls`.
    let calls: [String]
    /// The name of the error with which they fail.
    let error: String

    /// All calls for file attributes.
    static let attributes = [
        "fgetxattr", "fsetxattr", "getxattr", "setxattr", "lgetxattr", "lsetxattr", "flistxattr", "listxattr",
        "llistxattr",
        "fremovexattr",
    ]

    var testDescription: String { "\(calls.joined(separator: ", ")): \(error)" }

    /// The arguments that start a command without these calls.
    var starter: [String] { [Self.path, error, calls.joined(separator: ",")] }

    /// The program is in the same folder as the tests.
    private static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "refuse-calls").path

    /// Whether a process can refuse calls to itself on this system.
    fileprivate static let areAvailable = Task {
        try await RunningCommand.run(
            ["--version"], through: RefusedCalls(calls: ["ioprio_set"], error: "ENOSYS").starter
        ).status == 0
    }
}

extension Trait where Self == ConditionTrait {
    static var refusingCalls: Self {
        .enabled("this system does not support seccomp filters") {
            (try? await RefusedCalls.areAvailable.value) == true
        }
    }
}
