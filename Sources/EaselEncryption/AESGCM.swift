public import EaselCore
public import EaselFoundation
#if Encryption
import Crypto

/// AES-GCM (NIST SP 800-38D) with a key of the user's: what is on disk can be neither read nor changed without it.
///
/// Each entry has a nonce of its own, drawn at random; one key should not seal more than 2^32 of them. What an entry
/// belongs to is authenticated with it, so that none can stand in for another.
public struct AESGCM: DiskEncryption {
    private let key: SymmetricKey

    /// Encryption by a key of 16, 24 or 32 bytes. Keep it in the system's key store, not beside the cache.
    ///
    /// - Throws: `ImageError.unsupported` for a key of another length.
    public init(key: Data) throws(ImageError) {
        guard [16, 24, 32].contains(key.count) else {
            throw .unsupported("A key for AES has 16, 24 or 32 bytes, not \(key.count). Make one with AESGCM.newKey().")
        }
        self.key = SymmetricKey(data: key)
    }

    /// A new key of 32 random bytes.
    public static func newKey() -> Data {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    }

    /// The nonce, the sealed bytes and the tag: 28 bytes more than there were.
    public func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data {
        do {
            let sealed = try AES.GCM.seal(bytes, using: key, authenticating: context)
            guard let combined = sealed.combined else { throw CryptoKitError.incorrectParameterSize }
            return combined
        } catch {
            throw .unwritable(path: "the cache", reason: "its bytes could not be encrypted (\(error))")
        }
    }

    /// The bytes; `nil` for another key, another context, or a single bit that has changed.
    public func open(_ sealed: Data, context: Data) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: context)
    }
}
#else
/// Stands for the encryption where the package trait is off.
@available(*, unavailable, message: "To use it, enable the package trait Encryption, which adds swift-crypto.")
public struct AESGCM: DiskEncryption {
    /// Encryption by a key.
    public init(key: Data) throws(ImageError) { throw .unsupported("The package trait Encryption is off.") }

    /// A new key.
    public static func newKey() -> Data { Data() }

    /// Throws.
    public func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data {
        throw .unsupported("The package trait Encryption is off.")
    }

    /// Returns `nil`.
    public func open(_ sealed: Data, context: Data) -> Data? { nil }
}
#endif
