import EaselCore
import Foundation

/// The inputs of one run, in order: those on the command line, then those of the `--from` file.
enum InputList {
    /// A line an input. Empty lines are skipped.
    static func lines(of content: String) -> [String] {
        // By bytes: to Swift, a carriage return and a line feed are one character.
        content.utf8.split(separator: UInt8(ascii: "\n"))
            .map { String(Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)) }
            .filter { !$0.isEmpty }
    }

    /// The lines of a file.
    ///
    /// - Throws: `ImageError.unreadable` for a file that is not there or is no text.
    static func read(_ path: String) throws(ImageError) -> [String] {
        let content: String
        do {
            content = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: "it is missing, not allowed, or no UTF-8 text")
        }
        return lines(of: content)
    }
}
