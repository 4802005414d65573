#if Server
/// The content of the URL of an image: the source, and its options.
public struct ImageURL: Sendable, Hashable {
    /// What the response contains.
    public enum Kind: Sendable, Hashable {
        /// An image.
        case image
        /// A description of the source.
        case info
    }

    /// What the response contains.
    public var kind: Kind
    /// The URL of the source, decoded, such as `https://example.com/a.jpg`, `s3://bucket/key` or `local:///a.jpg`.
    public var source: String
    /// The place of the source.
    package var location: SourceLocation
    /// The options of an image.
    public var options = ProcessingOptions()
    /// The options of a description.
    package var info = InfoOptions()

    /// Parses a path after its signature is verified.
    ///
    /// - Parameters:
    ///   - rawPath: The path as the request has it, percent-encoded and without its query: signatures are of these
    ///     bytes.
    ///   - rules: The signatures, sources and options that are allowed.
    public init(rawPath: String, rules: URLRules) throws(ImageURLError) {
        guard rawPath.utf8.count <= rules.maximumPathLength else { throw .pathTooLong(limit: rules.maximumPathLength) }
        let path = Array(rawPath.utf8)
        guard path.first == Self.slash else { throw .notAnImage }
        let information = path.starts(with: "/info/".utf8)
        let start = information ? 6 : 1
        guard let end = path[start...].firstIndex(of: Self.slash) else { throw .notAnImage }
        try rules.check(signature: path[start..<end], of: path[end...])
        let parts = path[(end + 1)...].split(separator: Self.slash, omittingEmptySubsequences: false)
        kind = information ? .info : .image
        let source: SourceText
        if information {
            source = try info.apply(parts[...])
        } else {
            source = try Self.parse(parts[...], rules, &options)
        }
        guard rules.sources.allows(source.text) else { throw .forbiddenSource }
        if let fallback = options.fallbackSource, !rules.sources.allows(fallback) { throw .forbiddenSource }
        self.source = source.text
        location = try SourceLocation(source.text)
    }

    private static let slash = UInt8(ascii: "/")

    private static func parse(
        _ parts: ArraySlice<ArraySlice<UInt8>>, _ rules: URLRules, _ options: inout ProcessingOptions
    ) throws(ImageURLError) -> SourceText {
        try options.apply(rules.presets.standard, presets: rules.presets, rules: nil)
        let rest: ArraySlice<ArraySlice<UInt8>>
        if rules.usesOnlyPresets {
            guard let names = parts.first else { throw .notAnImage }
            for name in names.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
                let preset = try rules.presets.options(of: String(decoding: name, as: UTF8.self))
                try options.apply(preset, presets: rules.presets, rules: nil)
            }
            rest = parts.dropFirst()
        } else {
            let (given, source) = try split(parts)
            try options.apply(given, presets: rules.presets, rules: rules)
            rest = source
        }
        let source = try SourceText(rest)
        if let fileExtension = source.fileExtension, !options.isRaw { try options.applyExtension(fileExtension) }
        return source
    }

    /// Returns the options at the beginning of a path, and the parts of the source after them.
    static func split(
        _ parts: ArraySlice<ArraySlice<UInt8>>
    ) throws(ImageURLError) -> (options: [OptionArguments], source: ArraySlice<ArraySlice<UInt8>>) {
        var options: [OptionArguments] = []
        var rest = parts
        while let part = rest.first, let arguments = try OptionArguments(part) {
            options.append(arguments)
            rest = rest.dropFirst()
        }
        return (options, rest)
    }

    /// The last second at which the URL is valid, since 1970.
    package var expires: Int? { kind == .info ? info.expires : options.expires }

    /// Throws if the URL was valid only until an earlier time.
    ///
    /// - Parameter now: seconds since 1970.
    package func checkExpiry(now: Int) throws(ImageURLError) {
        guard let expires, expires < now else { return }
        throw .expired
    }
}
#endif
