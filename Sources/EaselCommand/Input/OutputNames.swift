import EaselCore
import Foundation

/// Gives each output a file name of its own, which never leads out of its folder.
struct OutputNames: Sendable {
    /// What a name is made of.
    struct Parts: Sendable, Hashable {
        /// The input's name without its extension.
        var name: String
        /// The input's place, from 1.
        var index: Int
        /// The output's pixels.
        var size: PixelSize
        /// The output format's extension, without the dot.
        var fileExtension: String
    }

    private let template: OutputTemplate
    private var taken: Set<String> = []

    /// Names after `template`.
    init(_ template: OutputTemplate) {
        self.template = template
    }

    /// A name that no other output of this run has, on a file system that folds case either.
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

    /// `photo.jpg` becomes `photo-2.jpg`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// One part of a path: no separators, no control characters, not hidden, not empty, and no longer than file systems
    /// allow, with room for a number.
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
    /// As many whole characters from the start as fit into `count` bytes of UTF-8.
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
        // A host without a path has dots, but no extension.
        return url.lastPathComponent == last ? String(last[..<dot]) : last
    }
}
