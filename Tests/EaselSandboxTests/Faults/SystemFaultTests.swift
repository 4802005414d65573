#if Sandbox
import CEaselSandbox
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

extension ProcessTests {
    /// The program `faulty-decoder` uses a sandbox, under conditions that these tests cannot have themselves.
    @Suite("Sandbox: conditions of the system", .timeLimit(.minutes(2)))
    struct SystemFaultTests {
        @Test("a sandbox works under usual conditions, and ends all its processes")
        func usual() async throws {
            let result = try await SandboxCheck.run()
            #expect(result == ["status": "complete", "unprotected": "0", "crashes": "0", "children": "none"])
        }

        @Test(
            "if the system forbids the call clone3, no process can be started, and images are decoded in this process")
        func clone3() async throws {
            let refuse = Sandboxes.programs.appending(path: "refuse-calls").path
            let result = try await SandboxCheck.run(through: [refuse, "EPERM", "clone3"])
            #expect(result["status"]?.contains("cannot be started: Operation not permitted") == true, "\(result)")
            #expect(result["unprotected"] == "2")
            #expect(result["children"] == "none")
        }

        @Test(
            "a sandbox works in a chroot without /proc and /dev",
            .available { try await SandboxCheck.chroot.isUsable() })
        func chroot() async throws {
            let result = try await SandboxCheck.run(through: SandboxCheck.chroot.command)
            #expect(result == ["status": "complete", "unprotected": "0", "crashes": "0", "children": "none"])
        }

        @Test("a sandbox works for an unprivileged user", .available { try await SandboxCheck.nobody.isUsable() })
        func unprivileged() async throws {
            let result = try await SandboxCheck.run(through: SandboxCheck.nobody.command)
            #expect(result == ["status": "complete", "unprotected": "0", "crashes": "0", "children": "none"])
        }

        @Test(
            "a sandbox in the first process of a container, which does not reap, leaves no zombie",
            .available { try await SandboxCheck.firstProcess.isUsable() })
        func firstProcess() async throws {
            let result = try await SandboxCheck.run(through: SandboxCheck.firstProcess.command)
            #expect(result == ["status": "complete", "unprotected": "0", "crashes": "0", "children": "none"])
        }

        @Test("if the application is killed during a decode, its workers end")
        func killedApplication() async throws {
            let process = try SandboxCheck.start("loop")
            try await until { workerProcesses().count == 3 }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try await until { workerProcesses().isEmpty }
        }
    }

    @Suite("Sandbox: worker programs of another version")
    struct WorkerVersionTests {
        @Test("a worker of another version is not used, and the error names both versions")
        func worker() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "easel-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appending(path: "other-version-decoder")
            try FileManager.default.createSymbolicLink(
                at: program, withDestinationURL: Sandboxes.programs.appending(path: "faulty-decoder"))
            let error = #expect(throws: ImageError.self) {
                try Sandbox {
                    $0.policy = .require
                    $0.program = program.path
                }
            }
            #expect(error?.description.contains("has version 99 instead of \(protocolVersion)") == true)
            let sandbox = try Sandbox { $0.program = program.path }
            #expect(throws: ImageError.unsupported("Decoded in this process")) { try decodeFault("none", sandbox) }
            #expect(sandbox.statistics.unprotected == 1)
        }

        @Test("a worker program answers an application of another version with its own, and ends")
        func application() async throws {
            var (own, other): (Int32, Int32) = (-1, -1)
            try #require(easel_sandbox_sockets(&own, &other) == 0)
            defer { close(own) }
            var process: pid_t = 0
            var environment: [UnsafeMutablePointer<CChar>?] = [strdup("\(workerMarker)=1"), nil]
            defer { free(environment[0]) }
            let program = Sandboxes.programs.appending(path: "faulty-decoder").path
            #expect(easel_sandbox_spawn(program, &environment, other, &process) == 0)
            close(other)
            var (worker, workerEnd): (Int32, Int32) = (-1, -1)
            try #require(easel_sandbox_sockets(&worker, &workerEnd) == 0)
            let handle = WorkerHandle(number: 1, socket: worker)
            let request = [UInt8](repeating: 1, count: 40)
            #expect(easel_sandbox_send(own, request, request.count, [workerEnd], 1, false) == 0)
            close(workerEnd)
            let restrictions = try handle.receiveReady(until: .now + .seconds(20))
            #expect(restrictions == SandboxRestrictions(bits: 0, landlockVersion: 0))
            try await until { easel_sandbox_reap(process) }
        }
    }
}

/// The program `faulty-decoder`, which uses a sandbox and prints what happens.
enum SandboxCheck {
    /// A way to start a program.
    struct Starter: Sendable {
        var command: [String]

        /// Whether a program can be started like this here.
        func isUsable() async throws -> Bool {
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = Array(command.dropFirst()) + [program]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
    }

    private static let program = Sandboxes.programs.appending(path: "faulty-decoder").path

    /// In a new namespace, the root without /proc and /dev, as other file systems are not bound with it.
    static let chroot = Starter(
        command: [
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            """
            root=$(mktemp -d) && trap 'umount -R "$root"; rmdir "$root"' EXIT && mount --bind / "$root" \\
            && mount --bind "${1%/*}" "$root${1%/*}" \\
            && [ ! -e "$root/proc/self" ] && [ ! -e "$root/dev/null" ] && chroot "$root" "$1"
            """, "sh",
        ])
    static let nobody = Starter(
        command: ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"])
    static let firstProcess = Starter(command: ["/usr/bin/unshare", "-p", "-f", "--"])

    static func start(_ fault: String, through starter: [String] = [], output: Pipe = Pipe()) throws -> Process {
        let command = starter + [program]
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ["EASEL_CHECK": fault, "EASEL_CHECK_PROGRAM": program]
        process.standardOutput = output
        try process.run()
        return process
    }

    /// Returns the lines of the output.
    static func run(_ fault: String = "none", through starter: [String] = []) async throws -> [String: String] {
        let output = Pipe()
        let process = try start(fault, through: starter, output: output)
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        return Dictionary(
            lines.compactMap { line in
                let parts = line.split(separator: ": ", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { $1 })
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static func available(_ condition: @escaping @Sendable () async throws -> Bool) -> Self {
        .enabled("this system or user does not allow it", condition)
    }
}
#endif
