/// What a NAT64 puts before an address of version 4 to make one of version 6 (RFC 6052 2.2).
public struct TranslationPrefix: Sendable, Hashable {
    private let bits: UInt128
    private let length: Int

    /// A prefix such as `2001:db8:64::/96`; `nil` for text that is none. Lengths are 32, 40, 48, 56, 64 and 96.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[1]), [32, 40, 48, 56, 64, 96].contains(length),
            let address = IPAddress(parts[0]), address.version == .v6
        else { return nil }
        self.length = length
        bits = address.bits >> (128 - length)
    }

    /// The address of version 4 that `address` stands for behind this prefix; `nil` for one that is not behind it.
    func address(in address: IPAddress) -> IPAddress? {
        guard address.version == .v6, address.bits >> (128 - length) == bits else { return nil }
        let low = (address.bits << length) >> length
        if length == 96 { return IPAddress(v4: UInt32(truncatingIfNeeded: low)) }
        // The octet of the bits 64 to 71 is not part of it, whatever the prefix.
        let before = low >> 64
        let behind = (low << 72) >> 72
        let count = 64 - length
        let hidden = (before << (32 - count)) | (behind >> (24 + count))
        return IPAddress(v4: UInt32(truncatingIfNeeded: hidden))
    }
}
