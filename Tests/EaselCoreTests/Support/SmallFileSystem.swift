import Foundation
import Testing

/// A file system of its own for one test, which only the superuser may mount.
enum SmallFileSystem: Sendable, CustomTestStringConvertible {
    /// In memory, of so many bytes.
    case bytes(Int)
    /// In memory, without extended attributes.
    case withoutAttributes
    /// In a file, as `mkfs.TYPE` makes it.
    case made(type: String, mounting: String = "loop")

    /// ext4 without the attributes of users: by a mount option that newer kernels do not have.
    static let nouserXattr = made(type: "ext4", mounting: "loop,nouser_xattr")
    /// FAT: no attributes, no links, no files without a name, and times in steps of two seconds.
    static let fat = made(type: "vfat")

    var testDescription: String {
        switch self {
        case .bytes(let count): "\(count) bytes"
        case .withoutAttributes: "ramfs"
        case .made(let type, let mounting): "\(type) (\(mounting))"
        }
    }

    /// Runs `body` in its root; it is gone afterwards.
    func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        try await TemporaryFolder.with { folder in
            if case .made(let type, _) = self {
                let image = image(folder)
                _ = FileManager.default.createFile(atPath: image, contents: nil)
                try FileHandle(forWritingTo: URL(filePath: image)).truncate(atOffset: 16 << 20)
                guard await Self.succeeds("mkfs.\(type)", [image]) else {
                    try? FileManager.default.removeItem(atPath: image)
                    throw CocoaError(.fileWriteUnknown)
                }
            }
            let isMounted = await Self.succeeds("mount", options + [source(folder), folder.path])
            if case .made = self { try? FileManager.default.removeItem(atPath: image(folder)) }
            guard isMounted else { throw CocoaError(.fileWriteNoPermission) }
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

    private func image(_ folder: TemporaryFolder) -> String { folder.path + ".image" }

    private func source(_ folder: TemporaryFolder) -> String {
        if case .made = self { image(folder) } else { "easel-test" }
    }

    private var options: [String] {
        switch self {
        case .bytes(let count): ["-t", "tmpfs", "-o", "size=\(count)"]
        case .withoutAttributes: ["-t", "ramfs"]
        case .made(let type, let mounting): ["-t", type, "-o", mounting]
        }
    }

    /// Whether such may be mounted here.
    fileprivate static let isPermitted = Task { await withoutAttributes.canBeMounted }

    fileprivate var canBeMounted: Bool {
        get async { (try? await with { _ in }) != nil }
    }

    private static func unmount(_ path: String) async {
        _ = await succeeds("umount", ["-l", path])
    }

    private static func succeeds(_ command: String, _ arguments: [String]) async -> Bool {
        await withCheckedContinuation { continuation in
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = [command] + arguments
            process.standardOutput = FileHandle.nullDevice
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

    /// Only where this one can be mounted.
    static func with(_ system: SmallFileSystem, from package: String) -> Self {
        .enabled("\(system.testDescription) cannot be mounted here; its tools are in the package \(package)") {
            await system.canBeMounted
        }
    }
}
