#if Server
import EaselCore

/// The networks whose `X-Forwarded-For` is believed.
struct TrustedProxies: Sendable, Hashable {
    private struct Network: Sendable, Hashable {
        var address: IPAddress
        /// The number of low bits that do not matter.
        var hostBits: Int

        func contains(_ other: IPAddress) -> Bool {
            other.version == address.version && other.bits >> hostBits == address.bits >> hostBits
        }
    }

    private var networks: [Network] = []
    /// Whether clients of a Unix socket are trusted.
    private var trustsLocal = false

    init() {}

    /// Whether no proxy is trusted.
    var isEmpty: Bool { networks.isEmpty && !trustsLocal }

    /// Adds an address, a network such as `10.0.0.0/8`, or `unix`. Returns `false` for anything else.
    mutating func insert(_ text: String) -> Bool {
        if text == "unix" {
            trustsLocal = true
            return true
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = IPAddress(parts[0]) else { return false }
        let bitCount = address.version == .v4 ? 32 : 128
        let length = parts.count == 2 ? Int(parts[1]) : bitCount
        guard let length, (0...bitCount).contains(length) else { return false }
        let hostBits = bitCount - length
        networks.append(Network(address: hostBits > 32 ? address : address.unmapped, hostBits: hostBits))
        return true
    }

    /// Returns whether a peer is trusted. `nil` is the peer of a Unix socket.
    func contains(_ address: String?) -> Bool {
        guard let address else { return trustsLocal }
        guard let parsed = Self.parse(address) else { return false }
        return networks.contains { $0.contains(parsed) }
    }

    /// Returns the address of the client: that of the peer or, behind trusted proxies, the last one in
    /// `X-Forwarded-For` that is not a trusted proxy's.
    func clientAddress(peer: String?, forwardedFor: String?) -> String {
        var client = peer ?? "local"
        guard let forwardedFor, forwardedFor.utf8.count <= 2048, contains(peer) else { return client }
        for part in forwardedFor.split(separator: ",").reversed() {
            guard let address = Self.parse(String(part.filter { $0 != " " && $0 != "\t" })) else { break }
            client = address.description
            guard contains(client) else { break }
        }
        return client
    }

    /// Parses an address, also with a port as some proxies write it: `192.0.2.1:80`, `[2001:db8::1]:80`.
    private static func parse(_ text: String) -> IPAddress? {
        guard text.utf8.count <= 64 else { return nil }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return IPAddress(text[...end])?.unmapped }
        if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            return IPAddress(text[..<colon])
        }
        return IPAddress(text)?.unmapped
    }
}

extension IPAddress {
    /// The address of version 4 if this is one that a socket for both versions reports (RFC 4291 2.5.5.2).
    var unmapped: IPAddress {
        guard version == .v6, bits >> 32 == 0xFFFF else { return self }
        return IPAddress(bytes: (0..<4).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }) ?? self
    }
}
#endif
