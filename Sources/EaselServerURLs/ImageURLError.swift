#if Server
/// The reason why the URL of an image is refused.
public struct ImageURLError: Error, Sendable, Hashable {
    /// The status of the response: 403, 404, 414 or 422.
    public let status: Int
    /// The kind of the error, for programs. It does not change between versions.
    public let code: String
    /// What is wrong, and with which option. It quotes at most 40 characters of the URL.
    public let message: String

    package init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}

extension ImageURLError {
    static let notAnImage = ImageURLError(
        404, "notAnImageURL",
        "An image has a path of the form /SIGNATURE/OPTIONS/plain/SOURCE or /SIGNATURE/OPTIONS/BASE64.")
    static let invalidSignature = ImageURLError(403, "invalidSignature", "The signature of the URL is not valid.")
    static let forbiddenSource = ImageURLError(403, "forbiddenSource", "Images of this source are not allowed.")
    static let expired = ImageURLError(404, "expired", "The URL has expired.")

    static func pathTooLong(limit: Int) -> ImageURLError {
        ImageURLError(414, "pathTooLong", "The path has more than \(limit) bytes.")
    }

    static func invalidSource(_ reason: String) -> ImageURLError {
        ImageURLError(422, "invalidSource", "The source is not valid: \(reason).")
    }

    static func unknownOption(_ name: String) -> ImageURLError {
        ImageURLError(422, "unknownOption", "There is no option `\(name.quoted)`.")
    }

    static func unsupportedOption(_ name: String, _ reason: String = "is not supported") -> ImageURLError {
        ImageURLError(422, "unsupportedOption", "The option `\(name.quoted)` \(reason).")
    }

    static func forbiddenOption(_ name: String) -> ImageURLError {
        ImageURLError(403, "forbiddenOption", "The option `\(name.quoted)` is not allowed.")
    }

    static func unknownPreset(_ name: String) -> ImageURLError {
        ImageURLError(422, "unknownPreset", "There is no preset `\(name.quoted)`.")
    }

    static func invalidOption(_ name: String, _ value: String, expected: String) -> ImageURLError {
        ImageURLError(
            422, "invalidOption", "The option `\(name)` has the value `\(value.quoted)` instead of \(expected).")
    }

    static func resultTooLarge(_ size: String, limit: Int) -> ImageURLError {
        ImageURLError(422, "resultTooLarge", "The result would have \(size) pixels. The limit is \(limit) pixels.")
    }
}

extension String {
    /// The first 40 printable ASCII characters, for messages.
    var quoted: String {
        let characters = utf8.prefix(40).map {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "`") ? $0 : UInt8(ascii: "?")
        }
        return String(decoding: characters, as: UTF8.self) + (utf8.count > 40 ? "..." : "")
    }
}
#endif
