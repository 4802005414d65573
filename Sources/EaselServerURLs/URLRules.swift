#if Server
/// The rules that the URLs of an image server have to follow. By default nothing is allowed: there is no key, and
/// unsigned URLs are refused.
public struct URLRules: Sendable {
    /// The keys of valid signatures. Several allow a rotation.
    public var keys: [SigningKey] = []
    /// The number of bytes of a signature, from 8 to 32. Fewer than 32 are the first ones of the HMAC.
    public var signatureByteCount = 32
    /// Whether `unsafe`, `insecure` and `_` are valid signatures.
    public var allowsUnsigned = false
    /// The options that URLs refer to by a name. Those named `default` apply to every image.
    public var presets = Presets()
    /// Whether a URL has names of presets instead of options.
    public var usesOnlyPresets = false
    /// The options that URLs may have; `nil` for all. Presets may have any.
    public var allowedOptions: AllowedOptions?
    /// Whether URLs may set the limits of the source and of the result, such as `max_src_resolution`.
    public var allowsLimitOptions = false
    /// The sources that images may come from.
    public var sources = AllowedSources.any
    /// The most bytes of a path.
    public var maximumPathLength = 8_192

    /// Creates rules that allow nothing.
    public init() {}
}
#endif
