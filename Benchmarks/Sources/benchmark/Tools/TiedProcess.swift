import Foundation

/// A command that runs as long as this object does, and no longer than this process, however that ends.
final class TiedProcess: Sendable {
    private let process = Process()
    private let input = Pipe()

    /// - Parameter output: what reads its output; with `nil` that goes where this process's does.
    init(_ command: [String], output: Pipe? = nil) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        // The shell's input ends with this process, and the command with the input. It may have SIGTERM blocked.
        process.arguments = ["-c", "\"$0\" \"$@\" & cat >/dev/null; kill -KILL $!"] + command
        process.standardInput = input
        // Or processes that are started later would keep it open.
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
