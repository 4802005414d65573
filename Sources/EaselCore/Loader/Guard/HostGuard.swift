import EaselFoundation

/// The hosts that a downloader may send requests to, for programs that load URLs from untrusted sources.
///
/// Every request is checked, also after redirects. With `publicHostsOnly` the transport also checks the address that
/// it connects to, so that no name, even if its address changes (DNS rebinding), leads into the local network.
///
/// A host in a list is a name, an address, or `*.` and a name for all names below it. Case is ignored, and addresses
/// are compared by value: `127.1` is `127.0.0.1`.
public struct HostGuard: Sendable, Hashable {
    /// The allowed schemes: http and https.
    public var schemes: Set<String> = ["http", "https"]
    /// The allowed hosts; `nil` for every host.
    public var allowedHosts: Set<String>?
    /// Hosts that are not allowed.
    public var deniedHosts: Set<String> = []
    package var allowsPublicAddressesOnly = false
    /// Hosts that may have any address, as exceptions to `publicHostsOnly`.
    public var exemptHosts: Set<String> = []

    /// Creates a guard that allows all hosts.
    public init() {}

    /// A guard that only allows addresses of the public internet, for a server that loads its users' URLs: none of this
    /// machine or the local network, and none that is translated to one of those. No proxies are used then, because
    /// they hide the address.
    public static let publicHostsOnly = {
        var hostGuard = HostGuard()
        hostGuard.allowsPublicAddressesOnly = true
        return hostGuard
    }()

    /// Checks a request to `url`. Returns whether the transport has to check the address.
    ///
    /// - Throws: `ImageError.forbiddenAddress`.
    func check(_ url: URL) throws(ImageError) -> Bool {
        let scheme = url.scheme?.lowercased() ?? ""
        let isAllowedScheme = schemes.contains { $0.lowercased() == scheme }
        let host = HostName(url.host ?? "")
        guard isAllowedScheme else {
            throw .forbiddenAddress(host: host.text, reason: "\(scheme): URLs are not on the guard's list")
        }
        guard !deniedHosts.contains(where: host.matches) else {
            throw .forbiddenAddress(host: host.text, reason: "it is on the guard's list of denied hosts")
        }
        if let allowedHosts, !allowedHosts.contains(where: host.matches) {
            throw .forbiddenAddress(host: host.text, reason: "it is not on the guard's list of allowed hosts")
        }
        guard allowsPublicAddressesOnly, !exemptHosts.contains(where: host.matches) else { return false }
        if let address = host.address, let purpose = address.specialPurpose {
            throw .forbiddenAddress(host: host.text, reason: "it is \(purpose)")
        }
        if host.isLocal { throw .forbiddenAddress(host: host.text, reason: "it is this machine (RFC 6761)") }
        return true
    }
}

/// A host of a URL or a list, in a form for comparison.
private struct HostName {
    let text: String
    let address: IPAddress?

    init(_ host: String) {
        address = IPAddress(host)
        var name = host.lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        text = address?.description ?? name
    }

    /// Whether it is `localhost` or a name below it.
    var isLocal: Bool { text == "localhost" || text.hasSuffix(".localhost") }

    func matches(_ pattern: String) -> Bool {
        if pattern.hasPrefix("*."), address == nil {
            return text.hasSuffix(HostName(String(pattern.dropFirst())).text) && !text.hasPrefix(".")
        }
        return HostName(pattern).text == text
    }
}
