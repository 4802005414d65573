#if Server
import Crypto
import EaselCore
import EaselFoundation

/// The credentials of an object store.
public struct S3Credentials: Sendable, Hashable {
    /// The identifier of the key.
    public var accessKey: String
    /// The secret key.
    public var secretKey: String
    /// The token of temporary credentials; `nil` for permanent ones.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Creates the credentials in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`. Returns `nil`
    /// if there are none.
    public init?(environment: [String: String]) {
        guard let accessKey = environment["AWS_ACCESS_KEY_ID"], let secretKey = environment["AWS_SECRET_ACCESS_KEY"]
        else { return nil }
        self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: environment["AWS_SESSION_TOKEN"])
    }
}

/// Signatures of requests to an object store (AWS Signature Version 4).
///
/// A pure value. libcurl has signatures as well, but which of its versions sort queries, sign empty fields and hash the
/// body differs.
struct SignatureV4: Sendable {
    /// A request to be signed.
    struct Request: Hashable {
        var method = "GET"
        /// The host, with its port unless it is that of the scheme, as it is sent.
        var host: String
        /// The percent-encoded path.
        var path: String
        /// The names and values of the query, not encoded.
        var query: [Parameter] = []
        /// The fields that are signed, besides those that `fields` adds.
        var headers = HTTPHeaders()
        /// The SHA-256 digest of the body in hexadecimal digits.
        var bodyDigest = SignatureV4.digest([UInt8]())
    }

    /// A parameter of a query.
    struct Parameter: Hashable {
        let name: String
        let value: String
    }

    let credentials: S3Credentials
    let region: String
    var service = "s3"

    /// Returns the fields of a request with a signature: those of the request, the date, the digest of the body, and
    /// the authorization.
    func fields(for request: Request, at date: Date) -> HTTPHeaders {
        let date = SigningDate(date)
        var headers = request.headers
        if service == "s3" { headers["x-amz-content-sha256"] = request.bodyDigest }
        headers["x-amz-date"] = date.text
        if let token = credentials.sessionToken { headers["x-amz-security-token"] = token }

        let scope = "\(date.day)/\(region)/\(service)/aws4_request"
        let (canonical, names) = Self.canonical(request, headers)
        let text = "AWS4-HMAC-SHA256\n\(date.text)\n\(scope)\n\(Self.digest(canonical.utf8))"
        let signature = hexadecimal(Self.code(text, key: signingKey(scope)))
        headers["Authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        return headers
    }

    /// Returns the request in canonical form, and the names of the signed fields.
    private static func canonical(_ request: Request, _ headers: HTTPHeaders) -> (text: String, names: String) {
        var fields = headers.fields.map { (name: $0.name.lowercased(), value: $0.value.collapsingBlanks) }
        fields.append((name: "host", value: request.host))
        // An empty field is not sent by every client.
        fields = fields.filter { !$0.value.isEmpty }.sorted { $0.name < $1.name }
        let names = fields.map(\.name).joined(separator: ";")
        let lines = fields.map { "\($0.name):\($0.value)\n" }.joined()
        let text = [
            request.method, request.path, query(request.query), lines, names, request.bodyDigest,
        ].joined(separator: "\n")
        return (text, names)
    }

    /// Returns an encoded query, sorted as signatures require.
    static func query(_ parameters: [Parameter]) -> String {
        parameters.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    static func digest(_ bytes: some Sequence<UInt8>) -> String {
        hexadecimal(SHA256.hash(data: Data(bytes)))
    }

    private func signingKey(_ scope: String) -> SymmetricKey {
        var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
        for part in scope.split(separator: "/") { key = SymmetricKey(data: Data(Self.code(String(part), key: key))) }
        return key
    }

    private static func code(_ text: String, key: SymmetricKey) -> HashedAuthenticationCode<SHA256> {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }
}

extension String {
    /// The text without blanks at both ends, and with one blank for each run of blanks.
    fileprivate var collapsingBlanks: String { split(separator: " ").joined(separator: " ") }
}
#endif
