import ArgumentParser
import Dispatch
import Foundation

/// Where the process begins and ends.
@main
enum Main {
    /// Parses the arguments, runs the command and exits with its status.
    static func main() {
        let running = Task { await run() }
        Interruption.shared.watch { running.cancel() }
        dispatchMain()
    }

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
