import EaselCore
import Foundation

/// Assigns unique file names to outputs. No name leads out of the output folder.
struct OutputNames: Sendable {
    /// The values that a template can use.
    struct Parts: Sendable, Hashable {
        /// The input's name without its extension.
        var name: String
        /// The input's position, from 1.
        var index: Int
        /// The output's size in pixels.
        var size: PixelSize
        /// The output format's extension, without the dot.
        var fileExtension: String
    }

    private let template: OutputTemplate
    private var taken: Set<String> = []

    init(_ template: OutputTemplate) {
        self.template = template
    }

    /// Returns a name that no other output of this run has, also on case-insensitive file systems.
    mutating func next(_ parts: Parts) -> String {
        let wanted = Self.safe(template.expanded(parts))
        var name = wanted
        var copy = 2
        while !taken.insert(name.lowercased()).inserted {
            name = Self.numbered(wanted, copy)
            copy += 1
        }
        return name
    }

    /// Returns `photo-2.jpg` for `photo.jpg`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// Returns a valid path component: not empty, not hidden, without separators or control characters, and short
    /// enough for file systems, with space for a number.
    private static func safe(_ name: String) -> String {
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
        var end = startIndex
        var used = 0
        while end < endIndex {
            used += self[end].utf8.count
            guard used <= count else { break }
            end = index(after: end)
        }
        return String(self[..<end])
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
    static let usual = OutputTemplate(pieces: [.name, .text("."), .fileExtension])

    private enum Piece: Sendable, Hashable {
        case text(String)
        case name, index, fileExtension, width, height
    }

    private let pieces: [Piece]

    private init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// Parses a pattern. Returns `nil` if it is empty or has an unknown placeholder.
    init?(_ pattern: String) {
        guard !pattern.isEmpty else { return nil }
        var pieces: [Piece] = []
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            switch rest[rest.index(after: open)..<close] {
            case "name": pieces.append(.name)
            case "index": pieces.append(.index)
            case "ext": pieces.append(.fileExtension)
            case "width": pieces.append(.width)
            case "height": pieces.append(.height)
            default: return nil
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    /// Returns the name for these values.
    func expanded(_ parts: OutputNames.Parts) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .name: parts.name
            case .index: String(parts.index)
            case .fileExtension: parts.fileExtension
            case .width: String(parts.size.width)
            case .height: String(parts.size.height)
            }
        }.joined()
    }
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

    /// Returns the path of a file in the folder.
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

    /// Writes all bytes. Returns the error, or `nil` on success.
    private static func writeAll(_ data: Data, to descriptor: Int32) -> SystemError? {
        data.withUnsafeBytes { bytes in
            StandardStream(descriptor: descriptor).write(bytes) ? nil : .last
        }
    }
}
