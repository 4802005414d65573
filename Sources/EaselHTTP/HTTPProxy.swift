/// The proxy of a transport.
public enum HTTPProxy: Sendable, Hashable {
    /// The proxies in the environment: `http_proxy` (only lower case, since CGI requests can set `HTTP_PROXY`),
    /// `https_proxy` and `ALL_PROXY`, except for the hosts in `no_proxy`.
    case environment
    /// No proxy, whatever the environment contains.
    case none
    /// A proxy URL such as `http://user:password@proxy.example:3128`, also with the schemes https and socks5.
    case url(String)
}

/// The settings shared by all exchanges of a transport.
struct TransportSettings: Sendable {
    var proxy = HTTPProxy.environment
    var connectionsPerHost = 6
}
