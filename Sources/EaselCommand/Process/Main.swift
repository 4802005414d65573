import ArgumentParser
import Dispatch
import Foundation

/// Where the process begins and ends.
@main
enum Main {
    /// Parses the arguments, runs the command and exits with its status.
    ///
    /// Not `async`: signals have to be blocked, and the terminal to be asked, while there is only this one thread.
    static func main() {
        Interruption.block()
        let command: any ParsableCommand
        do {
            command = try EaselCommand.parseAsRoot()
        } catch {
            end(with: error)
        }
        let running = Task { @MainActor in
            await run(command)
        }
        Interruption.watch { _ in running.cancel() }
        dispatchMain()
    }

    @MainActor
    private static func run(_ command: any ParsableCommand) async {
        do {
            var command = command
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: Task.isCancelled ? CancellationError() : error)
        }
        end(ExitStatus.success)
    }

    private static func end(with error: any Error) -> Never {
        let text = EaselCommand.fullMessage(for: error)
        let status = ExitStatus.of(error)
        if !text.isEmpty, !(error is CancellationError) {
            (status == ExitStatus.success ? StandardStream.output : .error).write(text + "\n")
        }
        end(status)
    }

    private static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        exit(status)
    }
}
