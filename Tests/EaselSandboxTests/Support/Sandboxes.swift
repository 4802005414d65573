import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import EaselSandbox

#if Sandbox
/// Tests that start processes. They run one at a time, as some count the remaining processes.
@Suite(
    "Sandbox: processes", .enabled("this system has no sandbox, or a sanitizer is in use") { Sandboxes.areAvailable },
    .serialized)
struct ProcessTests {}

enum Sandboxes {
    /// The folder of the built programs, which includes the tests.
    static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// The folder of image files with known results: next to the package, or `EASEL_CORPORA`.
    static let corpora: URL = {
        let beside = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../../shared/corpora")
        return ProcessInfo.processInfo.environment["EASEL_CORPORA"].map { URL(filePath: $0) } ?? beside
    }()

    /// Creates a sandbox with the worker program `faulty-decoder`, which has a decoder with faults.
    static func faulty(_ configure: (inout Sandbox.Configuration) -> Void = { _ in }) throws -> Sandbox {
        try Sandbox {
            $0.policy = .require
            $0.program = programs.appending(path: "faulty-decoder").path
            configure(&$0)
        }
    }

    /// The path of the worker program `easel-decoder`, or `EASEL_DECODER`.
    static let decoder =
        ProcessInfo.processInfo.environment["EASEL_DECODER"] ?? programs.appending(path: "easel-decoder").path

    /// Creates a sandbox with the worker program `easel-decoder`.
    static func standard(_ configure: (inout Sandbox.Configuration) -> Void = { _ in }) throws -> Sandbox {
        try Sandbox {
            $0.policy = .require
            $0.program = decoder
            configure(&$0)
        }
    }

    /// Whether this system supports all restrictions. `false` with sanitizers, which make more system calls.
    static let areAvailable: Bool = { (try? standard()) != nil }()
}

/// The decoder of a format that only the faulty workers have.
struct FaultFormat: ImageDecoding {
    let format = ImageFormat("fault", signatures: [.text("FAULT ")])

    func header(of data: Data) throws(ImageError) -> ImageHeader { throw .unsupported("Decoded in this process") }
    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        throw .unsupported("Decoded in this process")
    }
}

/// Decodes a file with a fault in a worker.
func decodeFault(_ fault: String, _ sandbox: Sandbox, _ options: DecodeOptions = DecodeOptions()) throws(ImageError) {
    _ = try SandboxedStillDecoding(decoder: FaultFormat(), sandbox: sandbox).decode(
        Data("FAULT \(fault)".utf8), options)
}

/// The processes that run a program of workers.
func workerProcesses() -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap(Int32.init).filter { process in
        guard let status = status(of: process) else { return false }
        // Zombies are ignored: in a container, the first process may not reap them. While other threads of a process
        // still end, its descriptors are open.
        let hasEnded = status.fields.first == "Z" && status.fields.dropFirst(17).first == "1"
        return ["faulty-decoder", "easel-decoder"].contains(status.name) && !hasEnded
    }
}

/// The workers of this process. Their parents are zygotes, which are children of this process.
func ownWorkers() -> [Int32] {
    workerProcesses().filter { worker in parent(of: worker).flatMap(parent(of:)) == getpid() }
}

func parent(of process: Int32) -> Int32? {
    status(of: process)?.fields.dropFirst().first.flatMap { Int32($0) }
}

/// Reads the status of a process: the name of its program, and the fields after that, which are the state, the parent,
/// and as the 18th the number of threads.
private func status(of process: Int32) -> (name: Substring, fields: [Substring])? {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        // The name is in parentheses, and may contain some.
        let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
    else { return nil }
    return (text[text.index(after: open)..<close], text[text.index(after: close)...].split(separator: " "))
}

/// The sockets and the shared memory that this process has open.
func descriptorCount() -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        return target?.hasPrefix("socket:") == true || target?.hasPrefix("/memfd:easel") == true
    }
}
#endif
