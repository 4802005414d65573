import Foundation

/// A command that ends with this object or this process.
final class TiedProcess: Sendable {
    private let process = Process()
    private let input = Pipe()

    /// The process that the command is a child of.
    var identifier: Int32 { process.processIdentifier }

    /// - Parameters:
    ///   - output: Receives the output; `nil` for this process's output.
    ///   - isServer: Whether the children of the command end with it, and nothing is written. Requires Linux.
    init(_ command: [String], output: Pipe? = nil, isServer: Bool = false) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell's input ends with this process, and ends the command. SIGTERM may be blocked.
        let script =
            isServer
            ? "setsid \"$0\" \"$@\" >/dev/null 2>&1 & cat >/dev/null; kill -KILL -$!"
            : "\"$0\" \"$@\" & cat >/dev/null; kill -KILL $!"
        process.arguments = ["-c", script] + command
        process.standardInput = input
        // Otherwise later child processes would keep it open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        if let output {
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
        }
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
