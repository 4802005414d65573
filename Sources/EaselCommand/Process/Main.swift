import ArgumentParser
import Dispatch
import Easel
import EaselCore
import Foundation

@main
enum Main {
    /// Parses the arguments, runs the command and exits with its status.
    static func main() {
        guard hasThreads else {
            StandardStream.error.write("easel: Cannot create a thread. Raise the limit of processes (ulimit -u).\n")
            exit(ExitStatus.failure)
        }
        let task = Task { await run() }
        Interruption.shared.watch { task.cancel() }
        dispatchMain()
    }

    /// Whether the system can create threads. Without one for Swift's tasks and one for loads, the command would hang.
    private static var hasThreads: Bool {
        let started = DispatchSemaphore(value: 0)
        // Dispatch retries indefinitely if it cannot create a thread, and blocks its caller meanwhile.
        let didStart = SystemThread.start("easel-first") { DispatchQueue.global().async { started.signal() } }
        return didStart && started.wait(timeout: .now() + timeout) == .success && WorkerPool.loads.hasThreads
    }
    private static let timeout = DispatchTimeInterval.seconds(5)

    private static func run() async {
        #if !Server
        if CommandLine.arguments.dropFirst().first == "serve" {
            StandardStream.error.write(
                "easel: This command was built without the image server. Build it with `make build SERVER=1`, which "
                    + "enables the package trait Server.\n")
            end(ExitStatus.usage)
        }
        #endif
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
            // Help and version are results. Everything else is an error.
            (status == ExitStatus.success ? StandardStream.output : .error).write(text + "\n")
        }
        end(status)
    }

    private static func end(_ status: Int32) -> Never {
        ExitActions.shared.runAll()
        exit(Interruption.shared.status ?? status)
    }
}

enum ExitStatus {
    static let success: Int32 = 0
    /// At least one input failed. Each is named on standard error.
    static let failure: Int32 = 1
    static let usage: Int32 = 2
    /// The error that ends a command after its failed inputs were reported.
    static var failed: ExitCode { ExitCode(failure) }

    /// Returns the exit status for an error of a command or of its parsing. For usage errors, ArgumentParser itself
    /// would return 64.
    static func of(_ error: any Error) -> Int32 {
        let code = EaselCommand.exitCode(for: error)
        return code == .validationFailure ? usage : code.rawValue
    }
}

struct EaselCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "easel",
        abstract: "Load, view and convert images from the web and from files.",
        discussion: """
            Try it: easel show https://www.w3.org/Graphics/PNG/nurbcup2si.png

            Exit status: 0 success, 1 an image failed, 2 invalid usage, 130 after ctrl-C.
            """,
        version: Easel.version,
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        var subcommands: [any ParsableCommand.Type] = [
            ShowCommand.self, GetCommand.self, InfoCommand.self, CacheCommand.self, DoctorCommand.self,
        ]
        #if OriginServer
        subcommands.append(DemoCommand.self)
        #endif
        #if Server
        subcommands.append(ServeCommand.self)
        #endif
        return subcommands
    }
}
