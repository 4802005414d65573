#if Server
import ArgumentParser
import EaselCodecs
import EaselCore
import EaselSandbox
import EaselServer
import Foundation
import Synchronization

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve resized and converted images over HTTP, with the URLs of imgproxy.",
        discussion: """
            Example: easel serve --listen 127.0.0.1:8080 --cache /var/cache/easel
            Then http://127.0.0.1:8080/unsafe/rs:fit:512:512/plain/https://example.com/photo.jpg

            Prints `listening on ADDRESS` when it can serve. SIGTERM finishes requests and ends, SIGHUP reads the \
            configuration, keys and certificates again.

            \(settingsHelp)
            """)

    @Option(help: ArgumentHelp("File of settings, a line NAME = VALUE each.", valueName: "file"))
    var config: String?

    @Flag(help: "Print the settings that have a value, without secrets, and exit.")
    var printConfig = false

    @Argument(parsing: .allUnrecognized, help: .hidden)
    var settings: [String] = []

    /// Checks the settings here, and not only in `run`: errors of `validate` are printed with the usage of this command.
    func validate() throws {
        _ = try Self.checked(try loadValues())
    }

    func run() async throws {
        let values = try loadValues()
        let settings = try Self.checked(values)
        if printConfig {
            StandardStream.output.write(values.description + "\n")
            return
        }
        ProcessHeap.limit()
        let server = ImageServer(try await Self.completed(settings))
        watchSignals(server, drain: settings.drain)
        do {
            try await server.run { StandardStream.output.write("listening on \($0)\n") }
        } catch {
            StandardStream.error.write("easel: Cannot listen on \(settings.address): \(error)\n")
            throw ExitStatus.failed
        }
    }

    // MARK: - Settings

    /// Reads the flags, the environment and the file.
    private func loadValues() throws -> SettingValues {
        let environment = ProcessInfo.processInfo.environment
        let path = config ?? environment[SettingValues.fileVariable]
        var file = ""
        if let path {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw ValidationError("The configuration \(path) cannot be read.")
            }
            file = text
        }
        do {
            return try SettingValues(flags: try Self.flags(settings), environment: environment, file: file)
        } catch let error as SettingError {
            throw ValidationError(error.description)
        }
    }

    private static func checked(_ values: SettingValues) throws -> ServerSettings {
        do throws(SettingError) {
            return try ServerSettings(values, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// Returns settings with coders and a watermark.
    private static func completed(_ settings: ServerSettings) async throws -> ServerSettings {
        do throws(ImageError) {
            return try await WorkerPool.pixels.run { @Sendable () throws(ImageError) in
                var settings = settings
                let coders = CoderRegistry.standard()
                if let sandbox = try sandbox(settings.sandbox) {
                    coders.isolate(in: sandbox)
                    settings.routes.sandboxStatistics = { sandbox.statistics }
                }
                settings.routes.coders = coders
                if let path = settings.watermarkFile { settings.routes.watermark = try watermark(path, coders) }
                return settings
            }
        } catch {
            StandardStream.error.write("easel: \(error.description)\n")
            throw ExitStatus.failed
        }
    }

    /// Returns the sandbox of a policy. By default one is required if the kernel supports all restrictions. Blocks.
    private static func sandbox(_ policy: ServerSettings.SandboxPolicy?) throws(ImageError) -> Sandbox? {
        switch policy {
        case .off: return nil
        case .require: return try Sandbox { $0.policy = .require }
        case .prefer: return try Sandbox { $0.policy = .prefer }
        case nil: break
        }
        let preferred = try Sandbox { $0.policy = .prefer }
        guard let reason = preferred.status().shortcoming else { return try Sandbox { $0.policy = .require } }
        StandardStream.error.write("easel: warning: The sandbox is not complete. \(reason)\n")
        return preferred
    }

    private static func watermark(_ path: String, _ coders: CoderRegistry) throws(ImageError) -> DecodedImage {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw .unreadable(path: path, reason: "the watermark cannot be read")
        }
        return try coders.decoder(for: data).decode(data, DecodeOptions())
    }

    // MARK: - Signals

    /// Stops the server on the first SIGTERM or SIGINT, and reads the settings again on SIGHUP.
    private func watchSignals(_ server: ImageServer, drain: Duration) {
        let isStopping = StopRequest()
        Interruption.shared.delegate { number in
            if number == SIGHUP {
                Task { reload(server) }
                return true
            }
            guard isStopping.take() else { return false }
            Task { await server.stop() }
            // Work that ignores its cancellation does not delay the end.
            let seconds = Double(drain.components.seconds) + Self.grace
            Signals.shared.queue.asyncAfter(deadline: .now() + seconds) { Interruption.end(ExitStatus.success) }
            return true
        }
    }

    private static let grace = 2.0

    private func reload(_ server: ImageServer) {
        do {
            try server.reload(try Self.checked(try loadValues()))
            StandardStream.error.write("easel: The configuration was read again.\n")
        } catch {
            StandardStream.error.write("easel: The configuration was not read again: \(error)\n")
        }
    }
}

/// Whether the end of the server was requested.
private final class StopRequest: Sendable {
    private let isTaken = Atomic(false)

    /// Returns `true` the first time.
    func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
#endif
