import Foundation

/// A peer that cannot take part here.
struct MissingPeer: Error, CustomStringConvertible {
    var name: String
    var reason: String

    var description: String { "no \(name): \(reason)" }
}

/// Commands that are installed.
enum Tool {
    private static let folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]

    static func find(_ name: String) -> String? {
        folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a command to its end, and returns what it wrote.
    @discardableResult
    static func run(_ path: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw MissingPeer(name: path, reason: "it ended with \(process.terminationStatus).")
        }
        return text
    }
}
