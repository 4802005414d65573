import Foundation
import Synchronization

/// A process of the built command.
final class RunningCommand: Sendable {
    /// The result of a finished command.
    struct Outcome: Sendable {
        /// The exit status; `nil` if a signal ended the command.
        let status: Int32?
        let output: String
        let errors: String

        /// The lines of standard output as JSON objects.
        var objects: [[String: any Sendable]] {
            output.split(separator: "\n").compactMap { line in
                (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: any Sendable]
            }
        }
    }

    /// The command is in the same folder as the tests.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "easel").path

    /// Whether the command is built; a toolchain may link the tests elsewhere.
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    private let process: Mutex<Process>
    private let ends: AsyncStream<Void>
    private let output: Task<String, Never>
    private let errors: Task<String, Never>
    private let input = Pipe()

    /// Starts the command, without those variables of this process that affect it.
    ///
    /// - Parameters:
    ///   - environment: Variables to add to those of this process; `nil` removes one.
    ///   - starter: A command with arguments that starts the command after them, such as `/usr/bin/nice -n 5`.
    init(_ arguments: [String], environment: [String: String?] = [:], through starter: [String] = []) throws {
        let process = Process()
        let words = starter + [Self.path] + arguments
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        var inherited = ProcessInfo.processInfo.environment
        for name in ["EASEL_CACHE_DIR", "NO_COLOR"] { inherited[name] = nil }
        // The command ends with exit(), without releasing objects. Other errors are reported.
        inherited["ASAN_OPTIONS"] = "detect_leaks=0"
        for (name, value) in environment { inherited[name] = value }
        process.environment = inherited
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        self.ends = ends
        self.output = Self.readToEnd(output)
        self.errors = Self.readToEnd(errors)
        self.process = Mutex(process)
    }

    /// Runs the command to its end.
    static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
        through starter: [String] = []
    ) async throws -> Outcome {
        let command = try RunningCommand(arguments, environment: environment, through: starter)
        // The command may end without reading all input.
        try? command.input.fileHandleForWriting.write(contentsOf: input)
        return await command.outcome()
    }

    /// Sends the signal of ctrl-C.
    func interrupt() {
        process.withLock { $0.interrupt() }
    }

    /// Sends a signal that the command cannot handle.
    func kill() {
        _ = process.withLock { Foundation.kill($0.processIdentifier, SIGKILL) }
    }

    /// Closes the command's standard input and waits for its end.
    func outcome() async -> Outcome {
        try? input.fileHandleForWriting.close()
        for await _ in ends {}
        // The stream also ends when a test exceeds its time limit. A running process has no status: reading it traps.
        if process.withLock({ $0.isRunning }) { kill() }
        let status = process.withLock {
            !$0.isRunning && $0.terminationReason == .exit ? $0.terminationStatus : nil
        }
        return Outcome(status: status, output: await output.value, errors: await errors.value)
    }

    /// Reads on a separate thread, because reading blocks.
    private static func readToEnd(_ pipe: Pipe) -> Task<String, Never> {
        let handle = pipe.fileHandleForReading
        return Task {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let data = (try? handle.readToEnd()) ?? Data()
                    continuation.resume(returning: String(decoding: data, as: UTF8.self))
                }
            }
        }
    }
}
