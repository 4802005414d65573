#if Server
/// Options that URLs refer to by names.
public struct Presets: Sendable, Hashable {
    private var options: [String: [OptionArguments]] = [:]

    /// Creates no presets.
    public init() {}

    /// Creates presets of lines of the form `NAME=OPTION/OPTION`. Empty lines, and those that begin with `#`, are
    /// ignored.
    ///
    /// - Throws: an error for a line of another form, a name that appears twice, an invalid option, and a preset that
    ///   contains itself.
    public init(_ lines: some Sequence<some StringProtocol>) throws(ImageURLError) {
        for line in lines {
            let line = Array(line.utf8).trimmed
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            try add(line)
        }
        for name in options.keys { try checkNesting(name, within: []) }
        for parts in options.values {
            var result = ProcessingOptions()
            try result.apply(parts, presets: self, rules: nil)
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>) throws(ImageURLError) {
        let text = String(decoding: line, as: UTF8.self)
        let invalid = ImageURLError(
            422, "invalidPreset", "The preset `\(text.quoted)` has not the form NAME=OPTION/OPTION.")
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { throw invalid }
        let name = String(decoding: line[..<equals].trimmed, as: UTF8.self)
        guard !name.isEmpty, options[name] == nil else { throw invalid }
        var parts: [OptionArguments] = []
        for part in line[(equals + 1)...].trimmed.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let arguments = try OptionArguments(part) else { throw invalid }
            parts.append(arguments)
        }
        options[name] = parts
    }

    private func checkNesting(_ name: String, within outer: Set<String>) throws(ImageURLError) {
        guard !outer.contains(name) else {
            throw ImageURLError(422, "invalidPreset", "The preset `\(name.quoted)` contains itself.")
        }
        for part in options[name] ?? [] where OptionName(part.name) == .preset {
            for inner in part.values { try checkNesting(inner, within: outer.union([name])) }
        }
    }

    /// Returns the options of a preset.
    func options(of name: String) throws(ImageURLError) -> [OptionArguments] {
        guard let options = options[name] else { throw .unknownPreset(name) }
        return options
    }

    /// The options that apply to every image.
    var standard: [OptionArguments] { options["default"] ?? [] }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
    /// The bytes without space at either end.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var rest = self[...]
        while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }
}
#endif
