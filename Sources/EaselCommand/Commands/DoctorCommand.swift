import ArgumentParser
import EaselCodecs
import EaselCore
import EaselHTTP
import EaselSandbox
import Foundation

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what this system supports: sandbox, libraries, formats, terminal and cache.",
        discussion: "Example: easel doctor --json")

    @OptionGroup var location: CacheLocation
    @OptionGroup var graphics: GraphicsOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let folder = location.folder()
        let report = await WorkerPool.pixels.run { DoctorReport(cacheFolder: folder) }
        let console = await Console(style: .none)
        let terminal = await graphics.mode()
        await console.writeResult(json ? report.json(terminal: terminal.rawValue).text : report.text(terminal.rawValue))
        try await console.checkOutput()
    }
}

/// A report of what this system supports.
struct DoctorReport: Sendable {
    let sandbox: Sandbox.Status
    let cacheFolder: String
    /// Whether the file system of the cache has extended attributes for metadata.
    let hasAttributes: Bool
    private let coders = CoderRegistry.standard()

    /// Examines the system. Starts a worker to check the sandbox. Blocks.
    init(cacheFolder: String) {
        self.cacheFolder = cacheFolder
        hasAttributes = DiskCache.supportsAttributes(cacheFolder)
        do throws(ImageError) {
            sandbox = try Sandbox().status()
        } catch {
            sandbox = .unavailable(reason: error.description)
        }
    }

    private var restrictions: SandboxRestrictions? {
        if case .available(let restrictions) = sandbox { restrictions } else { nil }
    }

    private var libraries: [(name: String, version: String)] {
        (LibraryVersions.all + [(name: "libcurl", version: CurlTransport.libraryVersion)]).sorted { $0.name < $1.name }
    }

    private var readable: [String] { coders.readableFormats.map(\.name).sorted() }
    private var writable: [String] { coders.writableFormats.map(\.name).sorted() }

    func json(terminal: String) -> JSONValue {
        [
            "version": .string(EaselCommand.configuration.version),
            "sandbox": [
                "available": .bool(sandbox.shortcoming == nil), "seccomp": .bool(restrictions?.hasSeccomp ?? false),
                "landlock": .number(restrictions?.hasLandlock == true ? restrictions?.landlockVersion ?? 0 : 0),
                "reason": sandbox.shortcoming.map { .string($0) } ?? .null,
            ],
            "libraries": .object(libraries.map { (name: $0.name, value: .string($0.version)) }),
            "formats": [
                "read": .array(readable.map { .string($0) }), "write": .array(writable.map { .string($0) }),
            ],
            "terminal": .string(terminal),
            "cache": ["folder": .string(cacheFolder), "attributes": .bool(hasAttributes)],
        ]
    }

    func text(_ terminal: String) -> String {
        var lines = ["easel \(EaselCommand.configuration.version)"]
        if let restrictions {
            let parts = [
                restrictions.hasSeccomp ? "seccomp" : nil,
                restrictions.hasLandlock ? "landlock \(restrictions.landlockVersion)" : nil,
                restrictions.hasLimits ? "limits" : nil,
            ]
            lines.append("sandbox: \(parts.compactMap(\.self).joined(separator: ", "))")
        } else {
            lines.append("sandbox: none")
        }
        if let reason = sandbox.shortcoming { lines.append("  \(reason)") }
        lines.append("reads: \(readable.joined(separator: ", "))")
        lines.append("writes: \(writable.joined(separator: ", "))")
        lines.append("libraries: " + libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
        lines.append("terminal: \(terminal)")
        lines.append("cache: \(cacheFolder.printable), \(hasAttributes ? "with" : "without") extended attributes")
        return lines.joined(separator: "\n")
    }
}
