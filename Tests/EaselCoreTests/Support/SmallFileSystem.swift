import Foundation
import Testing

/// A file system for one test. Only the superuser can mount it.
enum SmallFileSystem: Sendable, CustomTestStringConvertible {
    /// In memory, with a size in bytes.
    case bytes(Int)
    /// In memory, without extended attributes.
    case withoutAttributes
    /// Two layers in memory without extended attributes, as in containers.
    case overlay
    /// In a file made by `mkfs.TYPE`. The file and the folder are appended to the mount command.
    case made(type: String, by: [String])

    /// ext4 without user attributes, by a mount option that newer kernels lack.
    static let nouserXattr = made(type: "ext4", by: ["mount", "-t", "ext4", "-o", "loop,nouser_xattr"])
    /// FAT: no attributes, no links, no files without a name, and times in steps of two seconds.
    static let fat = made(type: "vfat", by: ["mount", "-t", "vfat", "-o", "loop"])
    /// FAT through FUSE, for kernels without FAT.
    static let programFAT = made(type: "vfat", by: ["fusefat", "-s", "-o", "rw+"])
    /// exFAT through FUSE.
    static let programExFAT = made(type: "exfat", by: ["mount", "-t", "exfat-fuse", "-o", "loop"])

    var testDescription: String {
        switch self {
        case .bytes(let count): "\(count) bytes"
        case .withoutAttributes: "ramfs"
        case .overlay: "overlay"
        case .made(let type, let command): "\(type) (\(command.joined(separator: " ")))"
        }
    }

    /// Runs `body` in the root of the file system, which is unmounted afterwards.
    func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            let base = TemporaryFolder(path: folder.path + ".base")
            defer { try? FileManager.default.removeItem(atPath: base.path) }
            let isMounted = try await mount(folder, base)
            // A mounted file is deleted once it is no longer in use.
            if case .made = self { try? FileManager.default.removeItem(atPath: base.path) }
            guard isMounted else { throw CocoaError(.fileWriteNoPermission) }
            do {
                let result = try await body(folder)
                await unmount(folder, base)
                return result
            } catch {
                await unmount(folder, base)
                throw error
            }
        }
    }

    private func mount(_ folder: TemporaryFolder, _ base: TemporaryFolder) async throws -> Bool {
        switch self {
        case .bytes(let count):
            return await Self.mount("tmpfs", on: folder.path, ["-o", "size=\(count)"])
        case .withoutAttributes:
            return await Self.mount("ramfs", on: folder.path)
        case .overlay:
            try FileManager.default.createDirectory(atPath: base.path, withIntermediateDirectories: true)
            guard await Self.mount("ramfs", on: base.path) else { return false }
            for name in ["lower", "upper", "work"] { try base.makeFolder(name) }
            let layers = "lowerdir=\(base["lower"]),upperdir=\(base["upper"]),workdir=\(base["work"])"
            return await Self.mount("overlay", on: folder.path, ["-o", layers])
        case .made(let type, let command):
            _ = FileManager.default.createFile(atPath: base.path, contents: nil)
            try FileHandle(forWritingTo: URL(filePath: base.path)).truncate(atOffset: 16 << 20)
            guard await Self.succeeds(["mkfs.\(type)", base.path]) else { return false }
            return await Self.succeeds(command + [base.path, folder.path])
        }
    }

    private func unmount(_ folder: TemporaryFolder, _ base: TemporaryFolder) async {
        _ = await Self.succeeds(["umount", "-l", folder.path])
        if case .overlay = self { _ = await Self.succeeds(["umount", "-l", base.path]) }
    }

    private static func mount(_ type: String, on path: String, _ options: [String] = []) async -> Bool {
        await succeeds(["mount", "-t", type] + options + ["easel-test", path])
    }

    /// Whether file systems can be mounted.
    fileprivate static let isPermitted = Task { await withoutAttributes.canBeMounted }

    fileprivate var canBeMounted: Bool {
        get async { (try? await with { _ in }) != nil }
    }

    /// Closes the open files of this process before a command. A FUSE program keeps running and would hold them, among
    /// them a pipe that signals the end of the process.
    private static let closing = """
        (for file in /proc/self/fd/*; do [ "${file##*/}" -lt 3 ] || eval "exec ${file##*/}>&-"; done; exec "$0" "$@")
        """

    private static func succeeds(_ command: [String]) async -> Bool {
        await withCheckedContinuation { continuation in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["bash", "-c", closing] + command
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
            do { try process.run() } catch { continuation.resume(returning: false) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    static var withSmallFileSystem: Self {
        .enabled("only root can mount a file system") { await SmallFileSystem.isPermitted.value }
    }

    /// Enables a test only if this file system can be mounted.
    static func with(_ system: SmallFileSystem, from package: String) -> Self {
        .enabled("\(system.testDescription) cannot be mounted on this system; the tools are in the package \(package)")
        {
            await system.canBeMounted
        }
    }
}
