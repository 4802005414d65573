#if Server
import EaselCore
import Crypto
import EaselFoundation

/// The key of a value in a shared cache.
///
/// It is a digest, so that keys of any length and with any characters are short and safe in every store, and cannot
/// reveal or collide with another key.
public struct SharedKey: Sendable, Hashable, CustomStringConvertible {
    /// The SHA-256 digest of the identity in 64 hexadecimal digits.
    public let digest: String
    /// The SHA-256 digest of the group.
    public let groupDigest: String

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - identity: The complete identity of a value, such as the source, its version and the options.
    ///   - group: The name by which the value is removed, such as the source. A key is always in the same group.
    public init(_ identity: String, group: String = "") {
        digest = Self.digest(of: identity)
        groupDigest = Self.digest(of: group)
    }

    /// The digest of the identity.
    public var description: String { digest }

    /// Returns the SHA-256 digest of a text in hexadecimal digits.
    static func digest(of text: String) -> String { hexadecimal(SHA256.hash(data: Data(text.utf8))) }
}
#endif
