#if SVG
import EaselCore

/// The header of the common kind of SVG, read from its first element: one that says in numbers of pixels how large it is,
/// or has the size of its viewBox. librsvg, which reads all of them, reads the whole document for it.
///
/// That a document ends as it should is looked at; what lies in between is for the decoder to judge.
enum SVGQuickHeader {
    /// `nil` for any other kind, and for what librsvg should have a look at.
    static func read(_ file: Span<UInt8>) -> ImageHeader? {
        var scan = SVGRootScan(file)
        guard file.endsWithElement("svg"), let attributes = scan.attributesOfRoot(),
            attributes["xmlns"] == "http://www.w3.org/2000/svg", attributes["style"] == nil, attributes["class"] == nil,
            file.hasNoRuleOfSize,
            let size = size(attributes)
        else { return nil }
        return ImageHeader(format: .svg, storedSize: size, hasAlpha: true)
    }

    private static func size(_ attributes: [String: String]) -> PixelSize? {
        var sides: (Double, Double)
        switch (attributes["width"], attributes["height"]) {
        case (let width?, let height?):
            guard let width = pixels(width), let height = pixels(height) else { return nil }
            sides = (width, height)
        case (nil, nil):
            let numbers = attributes["viewBox"].map { $0.split(separator: " ").map { Double($0) } } ?? []
            guard numbers.count == 4, numbers[0] != nil, numbers[1] != nil, let width = numbers[2],
                let height = numbers[3]
            else { return nil }
            sides = (width, height)
        default: return nil
        }
        let size = PixelSize(SVGDocument.pixels(sides.0), SVGDocument.pixels(sides.1))
        return size.width > 0 && size.height > 0 ? size : nil
    }

    /// Plain digits with or without `px`; other units, and numbers written otherwise, are librsvg's to read.
    private static func pixels(_ text: String) -> Double? {
        let number = text.hasSuffix("px") ? text.dropLast(2) : text[...]
        guard number.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(number)
    }
}

/// Reads the beginning of an XML document in UTF-8, up to the end of its first tag.
private struct SVGRootScan {
    private let bytes: [UInt8]
    private var position = 0

    /// How far is read. Drawing programs write long comments.
    private static let farthest = 4 << 10

    init(_ file: Span<UInt8>) {
        bytes = file.extracting(0..<min(file.count, Self.farthest)).withUnsafeBytes { Array($0) }
    }

    /// The attributes of an element `svg`; `nil` for another one, and for what is not that simple.
    mutating func attributesOfRoot() -> [String: String]? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while true {
            skipSpace()
            if skip("<?xml ") {
                guard let declaration = text(upTo: "?>"), Self.isUTF8(declaration) else { return nil }
            } else if skip("<!DOCTYPE ") {
                guard skipDocumentType() else { return nil }
            } else if skip("<!--") {
                guard text(upTo: "-->") != nil else { return nil }
            } else {
                return skip("<svg") ? attributes() : nil
            }
        }
    }

    /// Passes over a document type. Its own declarations may only be those of plain entities, which the first tag does not use:
    /// others give elements attributes, and entities within entities hide what is in them.
    private mutating func skipDocumentType() -> Bool {
        var quote: UInt8?
        var isInside = false
        while let byte = current {
            position += 1
            if isInside, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "%") { return false }
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return true
            case UInt8(ascii: "<"): guard isInside, skip("!ENTITY ") else { return false }
            case UInt8(ascii: "S"), UInt8(ascii: "P"):
                // What stands elsewhere.
                if isInside, bytes.span.holds("YSTEM", at: position) || bytes.span.holds("UBLIC", at: position) {
                    return false
                }
            default: break
            }
        }
        return false
    }

    private mutating func attributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while let byte = current {
            guard skipSpace() || byte == UInt8(ascii: ">") else { return nil }
            if skip(">") { return attributes }
            guard let name = text(upTo: "="), !name.utf8.contains(where: { $0 <= 32 || $0 == UInt8(ascii: ">") }),
                let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else { return nil }
            position += 1
            guard let value = text(upTo: quote == UInt8(ascii: "'") ? "'" : "\""),
                !value.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }),
                attributes.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return nil
    }

    private static func isUTF8(_ declaration: String) -> Bool {
        !declaration.contains("encoding") || declaration.lowercased().contains("\"utf-8\"")
            || declaration.lowercased().contains("'utf-8'")
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Returns whether there is any.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while let byte = current, [9, 10, 13, 32].contains(byte) { position += 1 }
        return position > start
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard bytes.span.holds(text, at: position) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    /// What stands before `end`, which is passed over too; `nil` where it does not come.
    private mutating func text(upTo end: StaticString) -> String? {
        let start = position
        while position < bytes.count {
            let last = position
            if skip(end) { return String(decoding: bytes[start..<last], as: UTF8.self) }
            position += 1
        }
        return nil
    }
}

extension Span where Element == UInt8 {
    /// Whether the last thing but space is the end of an element `name`.
    fileprivate func endsWithElement(_ name: StaticString) -> Bool {
        var end = count
        while end > 0, self[end - 1] <= 32 { end -= 1 }
        return end > 0 && self[end - 1] == UInt8(ascii: ">")
            && holds(name, at: end - 1 - name.utf8CodeUnitCount) && holds("</", at: end - 3 - name.utf8CodeUnitCount)
    }
}
#endif
