#if Server
import EaselCore
import EaselFoundation

/// An object store with the interface of S3, and the credentials for it.
public struct S3Endpoint: Sendable, Hashable {
    /// The URL, such as `https://s3.eu-central-1.amazonaws.com` or `http://127.0.0.1:8080`, without a path.
    public var url: String
    /// The region that signatures name.
    public var region: String
    /// The credentials.
    public var credentials: S3Credentials
    /// Whether the bucket is the first part of the path. Otherwise it is the first part of the host's name.
    public var usesPathStyle = true

    /// Creates an endpoint.
    public init(url: String, region: String = "us-east-1", credentials: S3Credentials) {
        self.url = url
        self.region = region
        self.credentials = credentials
    }
}

/// The name of an object.
struct S3Location: Sendable, Hashable {
    let bucket: String
    /// The key, not encoded. Empty for the bucket itself.
    let key: String

    /// - Throws: `TierError.invalidConfiguration` for a bucket that is not a name, and for a key that an HTTP client
    ///   would change: one with a part `.` or `..`.
    init(bucket: String, key: String) throws(TierError) {
        let isName = bucket.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._".utf8.contains(byte)
            }
        }
        guard isName, (1...255).contains(bucket.utf8.count), bucket != ".", bucket != ".." else {
            throw TierError(.invalidConfiguration, "The name of the bucket is invalid.")
        }
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard key.utf8.count <= 1024, !parts.contains("."), !parts.contains("..") else {
            throw TierError(.invalidConfiguration, "The key of the object is too long, or has a part . or ..")
        }
        self.bucket = bucket
        self.key = key
    }
}

extension S3Endpoint {
    /// The scheme, and the host with its port unless it is that of the scheme.
    private var origin: (scheme: String, host: String)? {
        guard let (scheme, rest) = url.split(at: "://"), scheme == "http" || scheme == "https" else { return nil }
        var host = rest
        while host.hasSuffix("/") { host = host.dropLast() }
        let isPlain = host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@\\".utf8.contains($0) }
        guard isPlain, !host.isEmpty else { return nil }
        let port = scheme == "http" ? ":80" : ":443"
        if host.hasSuffix(port) { host = host.dropLast(port.utf8.count) }
        return (String(scheme), host.lowercased())
    }

    /// Whether the URL can be used.
    var isValid: Bool { origin != nil }

    /// Returns the host and the encoded path of an object, and the URL without a query.
    func address(of location: S3Location) throws(TierError) -> (host: String, path: String, url: String) {
        guard let origin else {
            throw TierError(.invalidConfiguration, "The URL of the object store is not http://host or https://host.")
        }
        let key = PercentEncoding.encode(location.key, except: "/")
        let host = usesPathStyle ? origin.host : "\(location.bucket).\(origin.host)"
        let path = usesPathStyle ? "/\(location.bucket)" + (key.isEmpty ? "" : "/\(key)") : "/\(key)"
        return (host, path, "\(origin.scheme)://\(host)\(path)")
    }

    /// Returns a signed request.
    func request(
        _ method: String, _ location: S3Location, query: [SignatureV4.Parameter] = [],
        headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil, at date: Date
    ) throws(TierError) -> HTTPRequest {
        let address = try address(of: location)
        let signed = SignatureV4.Request(
            method: method, host: address.host, path: address.path, query: query, headers: headers,
            bodyDigest: SignatureV4.digest(body ?? []))
        let fields = SignatureV4(credentials: credentials, region: region).fields(for: signed, at: date)
        let suffix = query.isEmpty ? "" : "?" + SignatureV4.query(query)
        var request = HTTPRequest(url: address.url + suffix, method: method, headers: fields)
        request.body = body
        return request
    }
}
#endif
