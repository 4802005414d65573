import Foundation
import Testing

/// The first step of `make run`, on a system whose commands are all stubs.
@Suite("Dependency script")
struct DependencyScriptTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Scripts/install-dependencies.sh").standardized.path

    /// System commands that the script may use.
    private static let tools = ["bash", "sed", "head", "uname"]

    /// Runs the script with only these commands, each a line of shell.
    private func run(_ commands: [String: String]) async throws -> (status: Int32, errors: [String]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for tool in Self.tools {
            let original = ["/bin/", "/usr/bin/"].map { $0 + tool }.first(where: FileManager.default.fileExists)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/" + tool, withDestinationPath: #require(original))
        }
        let usual = ["swift": "echo Swift version 6.3.1", "id": "echo 1000"]
        for (name, line) in usual.merging(commands, uniquingKeysWith: { $1 }) {
            let file = folder + "/" + name
            try Data("#!\(folder)/bash\n\(line)\n".utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        return try await end(of: folder)
    }

    private func end(of folder: String) async throws -> (status: Int32, errors: [String]) {
        let process = Process()
        process.executableURL = URL(filePath: folder + "/bash")
        process.arguments = [Self.path]
        // The script searches one more folder for servers.
        process.environment = ["PATH": folder]
        let errors = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardError = errors
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in ends {}
        let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (process.terminationStatus, text.split(separator: "\n").map(String.init))
    }

    /// Returns a `pkg-config` that has every library but these.
    private func pkgConfig(without names: [String]) -> String {
        "case \"$2\" in \(names.joined(separator: "|"))) exit 1 ;; esac"
    }

    @Test("the script prints nothing if nothing is missing")
    func complete() async throws {
        let (status, errors) = try await run(["pkg-config": pkgConfig(without: ["none"])])
        #expect(status == 0 && errors.isEmpty, "\(errors)")
    }

    @Test("without sudo, the script prints the missing libraries and the superuser's command")
    func noSudo() async throws {
        let (status, errors) = try await run(
            ["pkg-config": pkgConfig(without: ["libavif", "libheif"]), "apt-get": "exit 100"])
        #expect(status == 1)
        #expect(
            errors == [
                "easel: missing: libavif libheif; as root, run: apt-get install libavif-dev libheif-dev"
            ])
    }

    @Test("if sudo needs a password and cannot prompt for it, the script prints the command")
    func sudoWithPassword() async throws {
        let (status, errors) = try await run(
            ["pkg-config": pkgConfig(without: ["zlib"]), "apt-get": "exit 100", "sudo": "exit 1"])
        #expect(status == 1)
        #expect(errors == ["easel: missing: zlib; run: sudo apt-get install zlib1g-dev"])
    }

    @Test("without a known package manager, the script prints the missing libraries")
    func noPackageManager() async throws {
        let (status, errors) = try await run(["pkg-config": pkgConfig(without: ["lcms2"])])
        #expect(status == 1 && errors.count == 1)
        #expect(errors.first?.hasPrefix("easel: missing: lcms2; install ") == true)
    }

    @Test("without pkg-config, the script prints it and all libraries")
    func noPkgConfig() async throws {
        let (status, errors) = try await run(["apt-get": "exit 100"])
        #expect(status == 1 && errors.count == 1)
        #expect(errors.first?.contains("apt-get install pkg-config libcurl4-openssl-dev") == true)
    }

    @Test("as root, the script installs and prints what is still missing")
    func root() async throws {
        let (status, errors) = try await run([
            "pkg-config": pkgConfig(without: ["zlib"]), "apt-get": "exit 100", "id": "echo 0", "env": "shift; exit 100",
        ])
        #expect(status == 1)
        #expect(
            errors == [
                "easel: missing: zlib; installing: zlib1g-dev",
                "easel: missing: zlib; as root, run: apt-get install zlib1g-dev",
            ])
    }

    @Test("an old or missing Swift is reported in one line", arguments: ["echo Swift version 5.10", "exit 1"])
    func oldSwift(line: String) async throws {
        let (status, errors) = try await run(["swift": line])
        #expect(status == 1 && errors.count == 1)
        #expect(errors.first?.contains("is too old. Install Swift 6.2 or later") == true)
    }
}
