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

/// `cache-writer` as a process of its own.
final class WriterProcess: Sendable {
    /// Beside the tests themselves.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "cache-writer").path

    private let process: Mutex<Process>
    private let identifier: Int32
    private let ended: AsyncStream<Void>
    /// The lines that it said; `nil` is the end.
    private let said = Recorder<String?>()

    /// Starts it on `folder`.
    ///
    /// - Parameters:
    ///   - limit: the most bytes of all entries.
    ///   - descriptors: the most files that it may have open, if not as many as this process.
    ///   - starter: a command, with arguments, that ends by starting the one it is given.
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

    /// Takes the steps, and returns what came of each.
    static func run(
        _ folder: String, limit: Int = 0, through starter: [String] = [], _ steps: String
    ) async throws -> [String] {
        try await WriterProcess(folder, limit: limit, through: starter, steps).end()
    }

    /// Returns when it has said so many lines, or has ended.
    func said(_ count: Int) async {
        await said.wait { $0.count >= count || $0.last == .some(nil) }
    }

    /// Whether it has said all that it will.
    var hasEnded: Bool { said.events.last == .some(nil) }

    /// Whether a signal has ended it. Ask after `end`.
    var wasEndedBySignal: Bool { process.withLock { $0.terminationReason == .uncaughtSignal } }

    /// Ends it as `kill -9` does: at once, wherever it is.
    func kill() {
        _ = sendSignal(identifier, SIGKILL)
    }

    /// Waits for its end, and returns what it said.
    @discardableResult
    func end() async -> [String] {
        for await _ in ended {}
        await said.wait { $0.last == .some(nil) }
        return said.events.compactMap(\.self)
    }

    /// On a thread of its own, because reading waits.
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

/// `kill` under a name that the type's own method does not hide.
private let sendSignal: @Sendable (Int32, Int32) -> Int32 = kill

extension Trait where Self == ConditionTrait {
    /// A toolchain may link the tests elsewhere than the writer.
    static var withWriter: Self {
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: WriterProcess.path),
            "the writer has to be built beside the tests")
    }
}
