import Foundation

/// A command that ends with this object or this process.
final class TiedProcess: Sendable {
    private let process = Process()
    private let input = Pipe()

    /// - Parameter output: Receives the output; `nil` for this process's output.
    init(_ command: [String], output: Pipe? = nil) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell's input ends with this process, and ends the command. SIGTERM may be blocked.
        process.arguments = ["-c", "\"$0\" \"$@\" & cat >/dev/null; kill -KILL $!"] + command
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
