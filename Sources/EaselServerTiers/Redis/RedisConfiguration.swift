#if Server
import EaselCore

/// The address of a server.
public struct RedisAddress: Sendable, Hashable, CustomStringConvertible {
    /// The name or the address of the host.
    public var host: String
    /// The port.
    public var port: Int

    /// Creates an address.
    public init(host: String, port: Int = 6379) {
        self.host = host
        self.port = port
    }

    /// The host and the port.
    public var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// How to reach Redis or Valkey.
public struct RedisConfiguration: Sendable, Hashable {
    /// The servers. One server, or some of a cluster, which names the others; with `sentinelMaster`, the sentinels.
    public var servers: [RedisAddress]
    /// The sentinels' name of the master; `nil` without sentinels.
    public var sentinelMaster: String?
    /// The user for AUTH; `nil` for the default user.
    public var user: String?
    /// The password for AUTH; `nil` to send none.
    public var password: String?
    /// The password of the sentinels; `nil` to send none.
    public var sentinelPassword: String?
    /// The number of the database. A cluster has only 0.
    public var database = 0
    /// The use of TLS; `nil` for none.
    public var security: Security?
    /// The number of connections to each server. Commands are pipelined, so that a few are enough.
    public var connectionsPerServer = 4
    /// The number of calls that may wait for replies on one connection. Further ones throw `TierError.busy`.
    public var callsPerConnection = 256
    /// The longest time from sending a command to its reply. The connection is closed when it has passed.
    public var commandLimit = Duration.milliseconds(50)
    /// The longest time to connect, and again until AUTH, SELECT and PING are answered.
    public var connectLimit = Duration.milliseconds(250)

    /// Creates a configuration.
    public init(servers: [RedisAddress]) { self.servers = servers }

    /// The certificates of TLS.
    public struct Security: Sendable, Hashable {
        /// A file of trusted certificates in PEM; `nil` for those of the system.
        public var trustedCertificateFile: String?
        /// Files with the client's certificate and its key in PEM; `nil` to send none.
        public var certificateFile, keyFile: String?
        /// Whether the name in the server's certificate is checked.
        public var verifiesHost = true

        /// Creates the default: the certificates of the system.
        public init() {}
    }
}

extension RedisConfiguration {
    /// Creates a configuration from a URL.
    ///
    /// `redis://user:password@host:6379/2` names a server. `rediss` uses TLS. Several hosts, separated by commas, are
    /// servers of a cluster. `redis+sentinel://host:26379,host:26379/master-name/2` names sentinels.
    ///
    /// - Throws: `TierError.invalidConfiguration`.
    public init(url: String) throws(TierError) {
        guard let (scheme, rest) = url.split(at: "://") else { throw Self.invalid("it has no scheme") }
        let kinds = scheme.lowercased().split(separator: "+")
        guard let first = kinds.first, ["redis", "rediss", "valkey", "valkeys"].contains(first),
            kinds.count == 1 || kinds == [first, "sentinel"]
        else { throw Self.invalid("its scheme is not redis, rediss or redis+sentinel") }
        let hasSentinels = kinds.count == 2
        let pathStart = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var authority = rest[..<pathStart]
        var path = rest[pathStart...].split(separator: "/").map(String.init)[...]
        var credentials: Substring?
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            credentials = authority[..<at]
            authority = authority[authority.utf8.index(after: at)...]
        }
        var servers: [RedisAddress] = []
        for text in authority.split(separator: ",", omittingEmptySubsequences: false) {
            guard let address = RedisAddress(String(text), defaultPort: hasSentinels ? 26379 : 6379) else {
                throw Self.invalid("it has a malformed host or port")
            }
            servers.append(address)
        }
        self.init(servers: servers)
        if let credentials {
            let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let user = String(parts[0]).decodingPercents, parts.count == 2,
                let password = String(parts[1]).decodingPercents
            else { throw Self.invalid("its credentials are not user:password, or are malformed") }
            self.user = user.isEmpty ? nil : user
            self.password = password
        }
        if hasSentinels {
            guard let name = path.popFirst() else { throw Self.invalid("it lacks the name of the master") }
            sentinelMaster = name
        }
        if let text = path.popFirst() {
            guard let number = Int(text), number >= 0 else { throw Self.invalid("its database is not a number") }
            database = number
        }
        guard path.isEmpty else { throw Self.invalid("its path has too many parts") }
        if first == "rediss" || first == "valkeys" { security = Security() }
    }

    private static func invalid(_ reason: String) -> TierError {
        // The URL can contain a password.
        TierError(.invalidConfiguration, "The URL of Redis is invalid: \(reason).")
    }
}

extension RedisAddress {
    /// Parses `host`, `host:port` or `[address]:port`. Returns `nil` for anything else.
    init?(_ text: String, defaultPort: Int) {
        var host = text[...]
        var port: Int? = defaultPort
        let bytes = text.utf8
        if text.hasPrefix("[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = text[bytes.index(after: bytes.startIndex)..<end]
            let rest = text[bytes.index(after: end)...]
            if !rest.isEmpty {
                guard rest.hasPrefix(":") else { return nil }
                port = Int(rest.dropFirst())
            }
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            host = text[..<colon]
            port = Int(text[bytes.index(after: colon)...])
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let port, (1...65535).contains(port)
        else { return nil }
        self.init(host: String(host), port: port)
    }
}

extension String {
    /// Returns the texts before and after the first occurrence of a separator.
    func split(at separator: String) -> (Substring, Substring)? {
        let bytes = utf8
        var start = bytes.startIndex
        while start != bytes.endIndex {
            let rest = bytes[start...]
            if rest.starts(with: separator.utf8) {
                return (self[..<start], self[bytes.index(start, offsetBy: separator.utf8.count)...])
            }
            start = bytes.index(after: start)
        }
        return nil
    }

    /// The text with its percent-encoded bytes decoded; `nil` if it is malformed.
    var decodingPercents: String? {
        let bytes: [UInt8]? = PercentEncoding.decode(utf8)
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
#endif
