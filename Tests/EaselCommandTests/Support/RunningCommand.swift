import Foundation
import Synchronization

/// The built command as a process of its own.
final class RunningCommand: Sendable {
    /// What is left of it.
    struct Outcome: Sendable {
        /// The exit status; `nil` where a signal ended it.
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

    /// Beside the tests themselves.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "easel").path

    /// Whether it has been built: a toolchain may link the tests elsewhere.
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    private let process: Mutex<Process>
    private let ended: AsyncStream<Void>
    private let output: Task<String, Never>
    private let errors: Task<String, Never>
    private let input = Pipe()

    /// Starts it, with nothing of this process's environment that it heeds.
    ///
    /// - Parameters:
    ///   - environment: variables beside those of this process, and without those whose value is `nil`.
    ///   - starter: a command, with arguments, that ends by starting the one it is given: `/usr/bin/nice -n 5`, say.
    init(_ arguments: [String], environment: [String: String?] = [:], through starter: [String] = []) throws {
        let process = Process()
        let words = starter + [Self.path] + arguments
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        var inherited = ProcessInfo.processInfo.environment
        for name in ["EASEL_CACHE_DIR", "NO_COLOR"] { inherited[name] = nil }
        // A command ends by exit(), with all that it uses still in use: none of that is lost. Other errors are reported.
        inherited["ASAN_OPTIONS"] = "detect_leaks=0"
        for (name, value) in environment { inherited[name] = value }
        process.environment = inherited
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        self.ended = ended
        self.output = Self.readToEnd(output)
        self.errors = Self.readToEnd(errors)
        self.process = Mutex(process)
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], input: Data = Data(), environment: [String: String?] = [:],
        through starter: [String] = []
    ) async throws -> Outcome {
        let command = try RunningCommand(arguments, environment: environment, through: starter)
        // It may end without reading all of it.
        try? command.input.fileHandleForWriting.write(contentsOf: input)
        return await command.outcome()
    }

    /// What ctrl-C does.
    func interrupt() {
        process.withLock { $0.interrupt() }
    }

    /// What nothing can be done about.
    func kill() {
        _ = process.withLock { Foundation.kill($0.processIdentifier, SIGKILL) }
    }

    /// Closes its standard input and waits for its end.
    func outcome() async -> Outcome {
        try? input.fileHandleForWriting.close()
        for await _ in ended {}
        let status = process.withLock { $0.terminationReason == .exit ? $0.terminationStatus : nil }
        return Outcome(status: status, output: await output.value, errors: await errors.value)
    }

    /// On a thread of its own, because reading waits.
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
