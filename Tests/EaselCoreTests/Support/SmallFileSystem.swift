import Foundation
import Testing

/// A file system of its own for one test, which only the superuser may mount.
enum SmallFileSystem {
    /// In memory, of so many bytes.
    case bytes(Int)
    /// In memory, without extended attributes.
    case withoutAttributes

    /// Runs `body` in its root; it is gone afterwards.
    func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            guard await Self.succeeds("mount", options + ["easel-test", folder.path]) else {
                throw CocoaError(.fileWriteNoPermission)
            }
            do {
                let result = try await body(folder)
                await Self.unmount(folder.path)
                return result
            } catch {
                await Self.unmount(folder.path)
                throw error
            }
        }
    }

    private var options: [String] {
        switch self {
        case .bytes(let count): ["-t", "tmpfs", "-o", "size=\(count)"]
        case .withoutAttributes: ["-t", "ramfs"]
        }
    }

    /// Whether such may be mounted here.
    fileprivate static let isPermitted = Task {
        (try? await SmallFileSystem.withoutAttributes.with { _ in }) != nil
    }

    private static func unmount(_ path: String) async {
        _ = await succeeds("umount", ["-l", path])
    }

    private static func succeeds(_ command: String, _ arguments: [String]) async -> Bool {
        await withCheckedContinuation { continuation in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [command] + arguments
            process.standardError = FileHandle.nullDevice
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
            do { try process.run() } catch { continuation.resume(returning: false) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var withSmallFileSystem: Self {
        .enabled("the superuser alone may mount a file system") { await SmallFileSystem.isPermitted.value }
    }
}
