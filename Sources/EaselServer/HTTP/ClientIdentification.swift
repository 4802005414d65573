#if Server
import EaselCore
import HTTPTypes

/// How the client of a request is identified, for the log and for fairness.
struct ClientIdentification: Sendable {
    var proxies = TrustedProxies()
    /// The header that identifies clients, of requests from trusted proxies; `nil` uses the address.
    var header: HTTPField.Name?

    /// Returns the address of the client.
    func address(of head: HTTPTypes.HTTPRequest, _ connection: ConnectionFacts) -> String {
        let peer = connection.peerAddress
        if proxies.isEmpty { return peer ?? "local" }
        return proxies.clientAddress(peer: peer, forwardedFor: head.headerFields[.forwardedFor])
    }

    /// Returns the key of the client for fairness. Addresses of IPv6 count by their network of 64 bits.
    func key(of head: HTTPTypes.HTTPRequest, _ connection: ConnectionFacts) -> ClientKey {
        if let header, let value = head.headerFields[header], proxies.contains(connection.peerAddress) {
            return ClientKey(text: String(value.prefix(128)))
        }
        let address = address(of: head, connection)
        guard let parsed = IPAddress(address)?.unmapped, parsed.version == .v6 else {
            return ClientKey(text: address)
        }
        return ClientKey(text: String(parsed.bits >> 64, radix: 16))
    }
}
#endif
