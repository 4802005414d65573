import EaselCore
import Foundation

/// A generator that assigns unique file names to outputs. No name refers to a file outside the output folder.
struct OutputNames: Sendable {
    struct Parts: Sendable, Hashable {
        var name: String
        var index: Int
        var size: PixelSize
        var fileExtension: String
    }

    private let template: OutputTemplate
    private var usedNames: Set<String> = []

    init(_ template: OutputTemplate) { self.template = template }

    /// Returns a name that no other output of this run has, also on case-insensitive file systems.
    mutating func next(_ parts: Parts) -> String {
        let baseName = Self.sanitize(template.expand(parts))
        var name = baseName
        var copy = 2
        while !usedNames.insert(name.lowercased()).inserted {
            name = Self.appendNumber(baseName, copy)
            copy += 1
        }
        return name
    }

    /// Returns `photo-2.jpg` for `photo.jpg`.
    private static func appendNumber(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// Returns a valid path component: not empty, not hidden, without separators or control characters, and short
    /// enough for file systems, with space for a number.
    private static func sanitize(_ name: String) -> String {
        let scalars = name.printable.unicodeScalars.map { scalar in
            #"/\:*?"<>|"#.unicodeScalars.contains(scalar) || scalar == "\u{FFFD}" ? "_" : scalar
        }
        var safe = String(String.UnicodeScalarView(scalars))
        while let first = safe.first, first == "." || first == " " || first == "-" { safe.removeFirst() }
        if safe.isEmpty { safe = "image" }
        let fileExtension = safe.lastIndex(of: ".").map { String(safe[$0...]) } ?? ""
        guard safe.utf8.count > longest, fileExtension.utf8.count < longest / 2 else {
            return safe.prefix(utf8Count: longest)
        }
        return String(safe.dropLast(fileExtension.count)).prefix(utf8Count: longest - fileExtension.utf8.count)
            + fileExtension
    }

    private static let longest = 200
}

extension String {
    /// Returns the longest prefix of whole characters that fits into `count` bytes of UTF-8.
    fileprivate func prefix(utf8Count count: Int) -> String {
        var prefix = self
        while prefix.utf8.count > count { prefix.removeLast() }
        return prefix
    }
}

extension ImageInput {
    /// The name of an output for this input, without an extension.
    var outputName: String {
        let last = name
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
        // A host contains dots, but has no extension.
        return url.lastPathComponent == last ? String(last[..<dot]) : last
    }
}

/// A pattern for file names, such as `{index}-{name}-{width}x{height}.{ext}`.
struct OutputTemplate: Sendable, Hashable {
    /// The default, such as `photo.jpg` for `https://example.org/a/photo.png?x=1` written as JPEG.
    static let defaultTemplate = OutputTemplate(pattern: "{name}.{ext}")

    let pattern: String

    private init(pattern: String) { self.pattern = pattern }

    /// Parses a pattern. Returns `nil` if it is empty or has an unknown placeholder.
    init?(_ pattern: String) {
        guard !pattern.isEmpty, !pattern.replacing(Self.placeholder, with: "").contains("{") else { return nil }
        self.pattern = pattern
    }

    func expand(_ parts: OutputNames.Parts) -> String {
        pattern.replacing(Self.placeholder) { match in
            switch match.1 {
            case "name": parts.name
            case "index": String(parts.index)
            case "ext": parts.fileExtension
            case "width": String(parts.size.width)
            default: String(parts.size.height)
            }
        }
    }

    private static var placeholder: Regex<(Substring, Substring)> { /{(name|index|ext|width|height)}/ }
}

/// The folder that results are written to, each file atomically. Calls block.
struct OutputFolder: Sendable {
    let path: String

    /// Opens the folder at `path`. Creates it and its parents if they are missing.
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

    func path(of name: String) -> String {
        URL(filePath: path).appending(path: name).path(percentEncoded: false)
    }

    /// Writes a file under a temporary name and renames it. An interruption leaves the old file or the new one.
    ///
    /// - Throws: `ImageError.unwritable`. No part of the file remains then.
    func write(_ data: Data, to name: String) throws(ImageError) {
        let target = path(of: name)
        let temporary = path(of: ".easel-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .unwritable(path: target, SystemError.last) }
        let removal = ExitActions.shared.add { unlink(temporary) }
        defer { ExitActions.shared.remove(removal) }
        let didWrite = data.withUnsafeBytes { StandardStream(descriptor: descriptor).write($0) }
        var failure: SystemError? = didWrite ? nil : .last
        if close(descriptor) != 0 { failure = failure ?? .last }
        if failure == nil, rename(temporary, target) != 0 { failure = .last }
        if let failure {
            unlink(temporary)
            throw .unwritable(path: target, failure)
        }
    }
}
