#if Server
import EaselCore
package import EaselFoundation

/// The place of a source.
package enum SourceLocation: Sendable, Hashable {
    /// A URL with the scheme `http` or `https`.
    case remote(URL)
    /// An object of S3, from `s3://BUCKET/KEY`.
    case object(bucket: String, key: String)
    /// A file in the folder of the server, from `local:///PATH`. The path has no empty part, no `.` and no `..`.
    case file(path: String)

    /// Finds the place that a source names.
    ///
    /// - Throws: an error with the code `invalidSource` for other schemes, a malformed URL, and a path that leads out
    ///   of its folder.
    package init(_ source: String) throws(ImageURLError) {
        let parts = SourceParts(source)
        switch String(decoding: parts.scheme, as: UTF8.self) {
        case "http", "https": self = .remote(try Self.url(of: source, parts))
        case "s3":
            let bucket = String(decoding: parts.authority, as: UTF8.self)
            guard !bucket.isEmpty, parts.authority.allSatisfy(Self.isInBucketName) else {
                throw .invalidSource("the bucket has characters that are not allowed")
            }
            self = .object(bucket: bucket, key: try Self.path(of: parts))
        case "local":
            guard parts.authority.isEmpty else { throw .invalidSource("a file has the form local:///PATH") }
            self = .file(path: try Self.path(of: parts))
        case "": throw .invalidSource("it has no scheme")
        default: throw .invalidSource("its scheme is none of http, https, s3 and local")
        }
    }

    private static func url(of source: String, _ parts: SourceParts) throws(ImageURLError) -> URL {
        // Parsers differ in whether a backslash ends a host.
        let isEnded = parts.path.first.map { "/?#".utf8.contains($0) } ?? true
        guard !parts.authority.isEmpty, isEnded, parts.authority.allSatisfy(isInAuthority) else {
            throw .invalidSource("the host has characters that are not allowed")
        }
        let text = PercentEncoding.encodeInvalid(source)
        guard let url = URL(string: text), url.host()?.isEmpty == false else { throw .invalidSource("it is not a URL") }
        return url
    }

    /// Returns the decoded path without its first slash.
    private static func path(of parts: SourceParts) throws(ImageURLError) -> String {
        guard !parts.path.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw .invalidSource("`?` and `#` in a path have to be percent-encoded")
        }
        guard let bytes: [UInt8] = PercentEncoding.decode(parts.path.dropFirst()), !bytes.isEmpty,
            let path = String(validating: bytes, as: UTF8.self)
        else { throw .invalidSource("its path is empty or not valid percent-encoded UTF-8") }
        let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isInside = names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
        guard parts.path.first == UInt8(ascii: "/"), isInside, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { throw .invalidSource("its path has an empty part, `.`, `..` or a control character") }
        return path
    }

    private static func isInBucketName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isInAuthority(_ byte: UInt8) -> Bool {
        isInBucketName(byte) || "~:@[]%!$&'()*+,;=".utf8.contains(byte)
    }
}

/// A source as the end of a path has it, and the format that follows it.
struct SourceText: Sendable, Hashable {
    let text: String
    let fileExtension: String?

    /// Decodes the parts of a path after the options.
    ///
    /// - Throws: an error with the code `invalidSource`, or `notAnImageURL` if there is no source.
    init(_ parts: ArraySlice<ArraySlice<UInt8>>) throws(ImageURLError) {
        guard let first = parts.first else { throw .notAnImage }
        if first.elementsEqual("plain".utf8), parts.count > 1 {
            try self.init(plain: parts.dropFirst().joined(separator: "/".utf8))
        } else if first.elementsEqual("enc".utf8), parts.count > 1 {
            throw .invalidSource("encrypted sources are not supported")
        } else {
            try self.init(base64: parts.joined())
        }
    }

    /// Decodes a percent-encoded source, which `@` and a format may follow.
    private init(plain: some Sequence<UInt8>) throws(ImageURLError) {
        let (source, fileExtension) = try Self.split(Array(plain), at: UInt8(ascii: "@"))
        guard let decoded: [UInt8] = PercentEncoding.decode(source) else {
            throw .invalidSource("it is not valid percent-encoding")
        }
        try self.init(decoded, fileExtension)
    }

    /// Decodes a source in base 64, which a point and a format may follow.
    private init(base64: some Sequence<UInt8>) throws(ImageURLError) {
        let (source, fileExtension) = try Self.split(Array(base64), at: UInt8(ascii: "."))
        guard let decoded = Base64.decode(source) else { throw .invalidSource("it is not URL-safe base 64") }
        try self.init(decoded, fileExtension)
    }

    private init(_ bytes: [UInt8], _ fileExtension: ArraySlice<UInt8>) throws(ImageURLError) {
        guard !bytes.isEmpty else { throw .notAnImage }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidSource("it is not UTF-8") }
        self.text = text
        self.fileExtension = fileExtension.isEmpty ? nil : String(decoding: fileExtension, as: UTF8.self)
    }

    private static func split(
        _ bytes: [UInt8], at separator: UInt8
    ) throws(ImageURLError) -> (source: ArraySlice<UInt8>, fileExtension: ArraySlice<UInt8>) {
        guard let index = bytes.firstIndex(of: separator) else { return (bytes[...], []) }
        let rest = bytes[(index + 1)...]
        guard !rest.contains(separator) else { throw .invalidSource("it names several formats") }
        return (bytes[..<index], rest)
    }
}
#endif
