import EaselCore
import Foundation

/// The folder that results are written to, each whole or not at all. Calls block.
struct OutputFolder: Sendable {
    /// Its path.
    let path: String

    /// The folder at `path`, created with those above it where it is missing.
    ///
    /// - Throws: `ImageError.unwritable`.
    init(_ path: String) throws(ImageError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .unwritable(path: path, reason: "the folder cannot be created")
        }
    }

    /// The path of a file in it.
    func path(of name: String) -> String {
        URL(filePath: path).appending(path: name).path(percentEncoded: false)
    }

    /// Writes a file under a temporary name and renames it. An interruption leaves the old file or the new one.
    ///
    /// - Throws: `ImageError.unwritable`; no part of the file remains then.
    func write(_ data: Data, to name: String) throws(ImageError) {
        let target = path(of: name)
        let temporary = path(of: ".easel-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .unwritable(path: target, reason: SystemError.last.reason) }
        let removal = ExitActions.shared.add { unlink(temporary) }
        defer { ExitActions.shared.remove(removal) }
        var failure = Self.writeAll(data, to: descriptor)
        if close(descriptor) != 0 { failure = failure ?? .last }
        if failure == nil, rename(temporary, target) != 0 { failure = .last }
        if let failure {
            unlink(temporary)
            throw .unwritable(path: target, reason: failure.reason)
        }
    }

    /// Why it could not be written, or `nil`.
    private static func writeAll(_ data: Data, to descriptor: Int32) -> SystemError? {
        data.withUnsafeBytes { bytes in
            StandardStream(descriptor: descriptor).write(bytes) ? nil : .last
        }
    }
}
