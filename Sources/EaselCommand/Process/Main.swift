import ArgumentParser
import Dispatch
import EaselCore
import Foundation

/// Where the process begins and ends.
@main
enum Main {
    /// Parses the arguments, runs the command and exits with its status.
    static func main() {
        guard hasThreads else {
            StandardStream.error.write("easel: The system starts no thread: too many are running.\n")
            exit(ExitStatus.failure)
        }
        let running = Task { await run() }
        Interruption.shared.watch { running.cancel() }
        dispatchMain()
    }

    /// Whether the system starts threads: without one for Swift's tasks and one for loads, nothing would ever run, or end.
    private static var hasThreads: Bool {
        let begun = DispatchSemaphore(value: 0)
        // Dispatch goes on trying where it has no thread, for as long as the process lives, and keeps its caller waiting.
        let isAsked = SystemThread.start("easel-first") { DispatchQueue.global().async { begun.signal() } }
        return isAsked && begun.wait(timeout: .now() + patience) == .success && WorkerPool.loads.hasThreads
    }
    private static let patience = DispatchTimeInterval.seconds(5)

    private static func run() async {
        do {
            var command = try EaselCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
        end(ExitStatus.success)
    }

    private static func end(with error: any Error) -> Never {
        let status = ExitStatus.of(error)
        let text = EaselCommand.fullMessage(for: error)
        if !text.isEmpty, Interruption.shared.status == nil {
            // Help and version are what was asked for; everything else is a complaint.
            (status == ExitStatus.success ? StandardStream.output : .error).write(text + "\n")
        }
        end(status)
    }

    private static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        exit(Interruption.shared.status ?? status)
    }
}

/// The command's exit status.
enum ExitStatus {
    /// All well.
    static let success: Int32 = 0
    /// Some input failed; each is named on standard error.
    static let failure: Int32 = 1
    /// The arguments make no sense.
    static let usage: Int32 = 2
    /// Thrown where some input failed and all has been said about it.
    static var failed: ExitCode { ExitCode(failure) }

    /// The status for an error that ended a command or its parsing. ArgumentParser's own for usage would be 64.
    static func of(_ error: any Error) -> Int32 {
        let code = EaselCommand.exitCode(for: error)
        return code == .validationFailure ? usage : code.rawValue
    }
}
