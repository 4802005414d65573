#if Server
import Foundation
import TestSupport

/// A program of the system.
enum Tool {
    /// Whether a program is installed.
    static func isInstalled(_ name: String) -> Bool { path(name) != nil }

    /// Runs a program to its end. Returns its standard output.
    static func run(_ name: String, _ arguments: [String], input: String = "") async throws -> String {
        guard let path = path(name) else { throw CocoaError(.fileNoSuchFile) }
        return try await WireConnection.blocking {
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            let (output, text) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = text
            try process.run()
            try text.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try text.fileHandleForWriting.close()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    private static func path(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
#endif
