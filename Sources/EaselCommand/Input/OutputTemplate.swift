import EaselCore

/// A pattern for file names, such as `{index}-{name}-{width}x{height}.{ext}`.
struct OutputTemplate: Sendable, Hashable {
    /// `photo.jpg` for `https://example.org/a/photo.png?x=1` written as JPEG.
    static let usual = OutputTemplate(pieces: [.name, .text("."), .fileExtension])

    private enum Piece: Sendable, Hashable {
        case text(String)
        case name, index, fileExtension, width, height
    }

    private let pieces: [Piece]

    private init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// Understands a pattern; `nil` for an empty one and for one with a placeholder that there is not.
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

    /// The name that these parts make.
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
