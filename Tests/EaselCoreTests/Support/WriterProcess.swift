import EaselTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// The program `cache-writer` as a child process.
final class WriterProcess: Sendable {
    /// The program in the folder of the tests.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "cache-writer").path

    private let process: Mutex<Process>
    private let identifier: Int32
    private let ends: AsyncStream<Void>
    /// The lines of output. `nil` is the end.
    private let lines = Recorder<String?>()

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
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        identifier = process.processIdentifier
        self.process = Mutex(process)
        self.ends = ends
        Self.record(output.fileHandleForReading, in: lines)
    }

    /// Runs the steps and returns a line for each.
    static func run(
        _ folder: String, limit: Int = 0, through starter: [String] = [], _ steps: String
    ) async throws -> [String] {
        try await WriterProcess(folder, limit: limit, through: starter, steps).end()
    }

    /// Returns when the process has written `count` lines or has ended.
    func waitForLines(_ count: Int) async {
        await lines.wait { $0.count >= count || $0.last == .some(nil) }
    }

    /// Whether the process has closed its output.
    var hasEnded: Bool { lines.events.last == .some(nil) }

    /// Whether the process was ended by a signal. Valid after `end`.
    var wasEndedBySignal: Bool { process.withLock { $0.terminationReason == .uncaughtSignal } }

    /// Kills the process like `kill -9`.
    func kill() {
        _ = sendSignal(identifier, SIGKILL)
    }

    /// Waits for the process to end and returns its output.
    @discardableResult
    func end() async -> [String] {
        for await _ in ends {}
        await lines.wait { $0.last == .some(nil) }
        return lines.events.compactMap(\.self)
    }

    /// Reads in a separate thread, because reading blocks.
    private static func record(_ output: FileHandle, in lines: Recorder<String?>) {
        Thread.detachNewThread {
            var remaining = Data()
            while case let more = output.availableData, !more.isEmpty {
                remaining += more
                while let end = remaining.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.record(String(decoding: remaining[..<end], as: UTF8.self))
                    remaining = Data(remaining[(end + 1)...])
                }
            }
            lines.record(nil)
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
            "the program cache-writer is not built")
    }
}
