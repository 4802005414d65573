public import EaselCore
public import EaselFoundation
#if Encryption
import Crypto

/// AES-GCM (NIST SP 800-38D) encryption of disk entries. Entries can be neither read nor modified without the key.
///
/// Each entry has a random nonce; do not seal more than 2^32 entries with one key. The identity of an entry is
/// authenticated, so entries cannot be swapped.
public struct AESGCM: DiskEncryption {
    private let key: SymmetricKey

    /// Creates an encryption with a key of 16, 24 or 32 bytes. Keep it in the system's key store, not near the cache.
    ///
    /// - Throws: `ImageError.unsupported` for a key of another length.
    public init(key: Data) throws(ImageError) {
        guard [16, 24, 32].contains(key.count) else {
            throw .unsupported(
                "A key for AES has 16, 24 or 32 bytes, not \(key.count). Create one with AESGCM.newKey().")
        }
        self.key = SymmetricKey(data: key)
    }

    /// Returns a new key of 32 random bytes.
    public static func newKey() -> Data {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    }

    /// Returns the nonce, the ciphertext and the tag: 28 bytes more than the plaintext.
    public func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data {
        do {
            let sealed = try AES.GCM.seal(bytes, using: key, authenticating: context)
            guard let combined = sealed.combined else { throw CryptoKitError.incorrectParameterSize }
            return combined
        } catch {
            throw .unwritable(path: "the cache", reason: "its bytes could not be encrypted (\(error))").caused(
                by: error)
        }
    }

    /// Returns the plaintext; `nil` for another key, another context, or modified data.
    public func open(_ sealed: Data, context: Data) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: context)
    }
}
#else
/// A placeholder while the package trait is disabled.
@available(*, unavailable, message: "To use it, enable the package trait Encryption, which adds swift-crypto.")
public struct AESGCM: DiskEncryption {
    /// Creates an encryption with a key.
    public init(key: Data) throws(ImageError) { throw .unsupported("The package trait Encryption is off.") }

    /// Returns a new key.
    public static func newKey() -> Data { Data() }

    /// Always throws.
    public func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data {
        throw .unsupported("The package trait Encryption is off.")
    }

    /// Returns `nil`.
    public func open(_ sealed: Data, context: Data) -> Data? { nil }
}
#endif
