public import EaselFoundation

/// Keeps what is on disk from those who have no key.
///
/// `EaselEncryption`'s `AESGCM` is one. Payloads and metadata are sealed one by one; the names of the files, their
/// sizes and their dates are not hidden.
public protocol DiskEncryption: Sendable {
    /// Seals bytes so that only `open` gives them back, and only for the same context.
    ///
    /// - Parameter context: what the bytes belong to: not secret, not stored, and not to be forged.
    /// - Throws: `ImageError.unwritable`.
    func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data

    /// The bytes that were sealed, or `nil` for anything that was not sealed with this key and context.
    func open(_ sealed: Data, context: Data) -> Data?
}
