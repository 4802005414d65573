/// Over which proxy a transport sends its requests.
public enum HTTPProxy: Sendable, Hashable {
    /// What the environment names: `http_proxy` (lower case alone, as the other can be set by a request to a CGI program),
    /// `https_proxy` and `ALL_PROXY`, and none for the hosts of `no_proxy`.
    case environment
    /// None, whatever the environment names.
    case none
    /// This one, such as `http://user:password@proxy.example:3128`; https and socks5 are schemes too.
    case url(String)
}

/// What holds for all exchanges of a transport.
struct TransportSettings: Sendable {
    var proxy = HTTPProxy.environment
    var connectionsPerHost = 6
}
