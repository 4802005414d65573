/// 128 bits that stand for the text of a key.
///
/// Caches in memory compare digests alone and keep no text. That is enough: among a billion different texts the chance
/// that any two share a digest is under 1 in 10^20. MD5, which makes it, lets somebody who writes *both* texts make them
/// collide, but then both texts are his, and whose server answers either of them may give any picture for it anyway.
/// A text that collides with one of somebody else's (a second preimage) is out of everybody's reach. Names of files
/// rest on the same digest (S121).
@usableFromInline
struct Digest: Sendable, Hashable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digest of a text, in UTF-8.
    @usableFromInline
    init(of text: String) {
        (high, low) = MD5.digest(text)
    }

    /// Hashes half of the digest, which is spread evenly already.
    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(low) }
}
