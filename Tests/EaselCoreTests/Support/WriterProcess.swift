import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The program `cache-writer` as a child process.
final class WriterProcess: Sendable {
    /// The program in the folder of the tests.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "cache-writer").path

    private let process: Mutex<Process>
    private let identifier: Int32
    private let ended: AsyncStream<Void>
    /// The lines of output. `nil` is the end.
    private let said = Recorder<String?>()

    /// Starts the program on `folder`.
    ///
    /// - Parameters:
    ///   - limit: the maximum bytes of all entries.
    ///   - descriptors: the maximum number of open files, by default that of this process.
    ///   - starter: a command with arguments that executes the command appended to it.
    init(
        _ folder: String, limit: Int = 0, descriptors: Int? = nil, through starter: [String] = [], _ steps: String
    ) throws {
        let process = Process()
        let limiting = descriptors.map { ["/bin/sh", "-c", "ulimit -n \($0) && exec \"$0\" \"$@\""] }
        let words =
            (limiting ?? starter) + [Self.path, folder, "\(limit)"] + steps.split(separator: " ").map(String.init)
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        identifier = process.processIdentifier
        self.process = Mutex(process)
        self.ended = ended
        Self.record(output.fileHandleForReading, in: said)
    }

    /// Runs the steps and returns a line for each.
    static func run(
        _ folder: String, limit: Int = 0, through starter: [String] = [], _ steps: String
    ) async throws -> [String] {
        try await WriterProcess(folder, limit: limit, through: starter, steps).end()
    }

    /// Returns when the process has written `count` lines or has ended.
    func said(_ count: Int) async {
        await said.wait { $0.count >= count || $0.last == .some(nil) }
    }

    /// Whether the process has closed its output.
    var hasEnded: Bool { said.events.last == .some(nil) }

    /// Whether the process was ended by a signal. Valid after `end`.
    var wasEndedBySignal: Bool { process.withLock { $0.terminationReason == .uncaughtSignal } }

    /// Kills the process like `kill -9`.
    func kill() {
        _ = sendSignal(identifier, SIGKILL)
    }

    /// Waits for the process to end and returns its output.
    @discardableResult
    func end() async -> [String] {
        for await _ in ended {}
        await said.wait { $0.last == .some(nil) }
        return said.events.compactMap(\.self)
    }

    /// Reads in a separate thread, because reading blocks.
    private static func record(_ output: FileHandle, in said: Recorder<String?>) {
        Thread.detachNewThread {
            var rest = Data()
            while case let more = output.availableData, !more.isEmpty {
                rest += more
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    said.record(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            said.record(nil)
        }
    }
}

/// The function `kill`, which the method of the same name hides.
private let sendSignal: @Sendable (Int32, Int32) -> Int32 = kill

extension Trait where Self == ConditionTrait {
    /// Enables a test only if the writer is in the folder of the tests, which depends on the toolchain.
    static var withWriter: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: WriterProcess.path),
            "the writer has to be built beside the tests")
    }
}
