#if Server
import EaselCore

/// The arguments of one option, which are read strictly.
struct OptionArguments: Sendable, Hashable {
    /// The name as the URL has it.
    let name: String
    let values: [String]

    /// Reads one part of a path: a name and arguments, separated by colons. Returns `nil` for a part without a colon.
    ///
    /// - Throws: an error for invalid percent-encoding or UTF-8.
    init?(_ part: ArraySlice<UInt8>) throws(ImageURLError) {
        guard let colon = part.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        name = String(decoding: part[..<colon], as: UTF8.self)
        var values: [String] = []
        for value in part[(colon + 1)...].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            guard let decoded: [UInt8] = PercentEncoding.decode(value),
                let text = String(validating: decoded, as: UTF8.self)
            else {
                throw .invalidOption(
                    name.quoted, String(decoding: value, as: UTF8.self), expected: "valid percent-encoding")
            }
            values.append(text)
        }
        self.values = values
    }

    init(name: String, values: [String]) {
        self.name = name
        self.values = values
    }

    /// The arguments from a position on.
    func dropping(_ count: Int) -> OptionArguments {
        OptionArguments(name: name, values: Array(values.dropFirst(count)))
    }

    /// Throws unless the number of arguments is in a range.
    func check(count range: ClosedRange<Int>) throws(ImageURLError) {
        guard !range.contains(values.count) else { return }
        let expected =
            range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        throw ImageURLError(
            422, "invalidOption",
            "The option `\(name.quoted)` has \(values.count) arguments instead of \(expected).")
    }

    /// Whether there is an argument at a position that is not empty.
    func has(_ index: Int) -> Bool { values.indices.contains(index) && !values[index].isEmpty }

    /// Returns the argument at a position; empty if there is none.
    func text(_ index: Int) -> String { values.indices.contains(index) ? values[index] : "" }

    func boolean(_ index: Int = 0) throws(ImageURLError) -> Bool {
        switch text(index) {
        case "1", "t", "T", "true", "TRUE", "True": true
        case "0", "f", "F", "false", "FALSE", "False": false
        default: throw invalid(index, "1, t, true, 0, f or false")
        }
    }

    func integer(_ index: Int = 0, in range: ClosedRange<Int>) throws(ImageURLError) -> Int {
        let text = text(index)
        // `Int` accepts a plus sign too.
        guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text), range.contains(number) else {
            throw invalid(index, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns a decimal number.
    func number(_ index: Int = 0, in range: ClosedRange<Double>) throws(ImageURLError) -> Double {
        let text = text(index)
        // `Double` accepts names and hexadecimal digits too.
        let isDecimal = text.utf8.count <= 32 && text.utf8.allSatisfy { Self.digits.contains($0) }
        guard isDecimal, let number = Double(text), range.contains(number) else {
            throw invalid(index, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static let digits = Set("0123456789.-eE".utf8)

    /// Returns a color of three or six hexadecimal digits.
    func color(_ index: Int = 0) throws(ImageURLError) -> ImageColor {
        let digits = text(index).utf8.compactMap(\.hexadecimalDigit).map(UInt32.init)
        guard digits.count == text(index).utf8.count, [3, 6].contains(digits.count) else {
            throw invalid(index, "three or six hexadecimal digits")
        }
        let all = digits.count == 6 ? digits : digits.flatMap { [$0, $0] }
        return ImageColor(all.reduce(0) { $0 << 4 | $1 })
    }

    /// Returns a format by the names that extensions have.
    func format(_ index: Int = 0) throws(ImageURLError) -> ImageFormat {
        guard let format = FormatName.formats[text(index)] else {
            throw invalid(index, "the name of a format, such as jpg, png, webp or avif")
        }
        return format
    }

    /// Returns the value of an enumeration by its name.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ index: Int = 0, except excluded: [String] = []
    ) throws(ImageURLError) -> Choice where Choice.RawValue == String {
        guard !excluded.contains(text(index)), let choice = Choice(rawValue: text(index)) else {
            let names = Choice.allCases.map(\.rawValue).filter { !excluded.contains($0) }
            throw invalid(index, "one of " + names.joined(separator: ", "))
        }
        return choice
    }

    /// Returns the bytes of URL-safe base 64 as text.
    func base64(_ index: Int = 0) throws(ImageURLError) -> String {
        guard let bytes = Base64.decode(Array(text(index).utf8)), let text = String(validating: bytes, as: UTF8.self)
        else { throw invalid(index, "URL-safe base 64") }
        return text
    }

    func invalid(_ index: Int, _ expected: String) -> ImageURLError {
        .invalidOption(name.quoted, text(index), expected: expected)
    }
}

/// The names of formats in URLs.
enum FormatName {
    static let formats: [String: ImageFormat] = [
        "jpg": .jpeg, "jpeg": .jpeg, "png": .png, "apng": .apng, "gif": .gif, "webp": .webp, "avif": .avif,
        "jxl": .jxl, "qoi": .qoi, "heic": .heic, "tiff": .tiff, "bmp": .bmp, "ico": .ico, "svg": .svg,
    ]

    /// The formats that results can have.
    static let writable: Set<ImageFormat> = [.jpeg, .png, .apng, .gif, .webp, .avif, .jxl, .qoi]
}
#endif
