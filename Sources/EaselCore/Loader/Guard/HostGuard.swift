import EaselFoundation

/// Where a downloader may send requests: for programs that load URLs which strangers give them.
///
/// It is asked before each request, those that redirects lead to included. With `allowsPublicAddressesOnly` the transport
/// also checks the address that it is about to connect to, so that no name, and no name whose address changes in the
/// moment between (DNS rebinding), leads into the own network (B90).
///
/// A host in a list is a name, an address, or `*.` and a name for everything below it. Names are compared without regard to
/// case, addresses by what they mean: `127.1` is `127.0.0.1`.
public struct HostGuard: Sendable, Hashable {
    /// Schemes that may be loaded. A downloader knows http and https; without http nothing travels in the clear.
    public var schemes: Set<String> = ["http", "https"]
    /// Hosts that may be asked, and no other; `nil` for every host.
    public var allowedHosts: Set<String>?
    /// Hosts that may not be asked.
    public var deniedHosts: Set<String> = []
    /// Whether hosts have to have an address of the public internet: not this machine's, not the local network's, and none
    /// that stands for one of those. Proxies are not used then: behind one nobody knows where a request goes.
    public var allowsPublicAddressesOnly = false
    /// What the own network's NAT64 puts before addresses of version 4, if that is not `64:ff9b::/96`, which is always known:
    /// behind such a prefix every private address can be asked for in the form of a public one.
    public var translationPrefixes: Set<TranslationPrefix> = []
    /// Hosts that may have any address.
    public var exemptHosts: Set<String> = []

    /// No bounds.
    public init() {}

    /// No bounds: what an application needs that loads URLs of its own.
    public static let off = HostGuard()

    /// Public addresses only: what a server needs that loads URLs of its users.
    public static let publicHostsOnly = {
        var hostGuard = HostGuard()
        hostGuard.allowsPublicAddressesOnly = true
        return hostGuard
    }()

    /// Lets a request to `url` pass, or not. Returns whether the address that is connected to has to be a public one.
    ///
    /// - Throws: `ImageError.forbiddenAddress`.
    func check(_ url: URL) throws(ImageError) -> Bool {
        let scheme = url.scheme?.lowercased() ?? ""
        let isKnownScheme = schemes.contains(scheme) || schemes.contains { $0.lowercased() == scheme }
        // Most guards say nothing of hosts, and taking one apart costs more than all the rest.
        if isKnownScheme, deniedHosts.isEmpty, allowedHosts == nil, !allowsPublicAddressesOnly { return false }
        let host = HostName(url.host ?? "")
        guard isKnownScheme else {
            throw .forbiddenAddress(host: host.text, reason: "\(scheme): URLs are not on the guard's list")
        }
        guard !deniedHosts.contains(where: host.matches) else {
            throw .forbiddenAddress(host: host.text, reason: "it is on the guard's list of denied hosts")
        }
        if let allowedHosts, !allowedHosts.contains(where: host.matches) {
            throw .forbiddenAddress(host: host.text, reason: "it is not on the guard's list of allowed hosts")
        }
        guard allowsPublicAddressesOnly, !exemptHosts.contains(where: host.matches) else { return false }
        if let address = host.address, let purpose = address.specialPurpose(translatedBy: translationPrefixes) {
            throw .forbiddenAddress(host: host.text, reason: "it is \(purpose)")
        }
        if host.isLocal { throw .forbiddenAddress(host: host.text, reason: "it is this machine (RFC 6761)") }
        return true
    }
}

/// A host of a URL or a list, in the one form in which it is compared.
private struct HostName {
    let text: String
    let address: IPAddress?

    init(_ host: String) {
        address = IPAddress(host)
        var name = host.lowercased()
        while name.hasSuffix(".") { name.removeLast() }
        text = address?.description ?? name
    }

    /// `localhost` and all below it, which some systems resolve without asking anybody.
    var isLocal: Bool { text == "localhost" || text.hasSuffix(".localhost") }

    func matches(_ pattern: String) -> Bool {
        if pattern.hasPrefix("*."), address == nil {
            return text.hasSuffix(HostName(String(pattern.dropFirst())).text) && !text.hasPrefix(".")
        }
        return HostName(pattern).text == text
    }
}
