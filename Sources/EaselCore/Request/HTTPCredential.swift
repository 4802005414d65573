import EaselFoundation

/// Who asks, for a server that wants to know (S193, X144).
public enum HTTPCredential: Sendable, Hashable {
    /// Sent with the first request (RFC 7617). Anybody on the way can read it unless the URL is https.
    case basic(user: String, password: String)
    /// Sent in answer to the server's challenge, and never as it is (RFC 7616).
    case digest(user: String, password: String)
    /// A token, sent with the first request (RFC 6750).
    case bearer(String)
}

extension HTTPCredential {
    /// The user and password of a URL.
    init?(_ url: URL) {
        // A URL without this character names nobody; to take it apart is dear.
        guard url.absoluteString.has("@"), let user = url.user(percentEncoded: false),
            !user.isEmpty
        else { return nil }
        self = .basic(user: user, password: url.password(percentEncoded: false) ?? "")
    }

    /// The header that is sent with the first request; `nil` where the server has to ask before.
    var authorization: String? {
        switch self {
        case .basic(let user, let password): "Basic " + Data((user + ":" + password).utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .digest: nil
        }
    }
}

/// How an https server proves who it is, and its client.
public struct HTTPSecurity: Sendable, Hashable {
    /// A file in PEM form of the certificates to trust, in place of the system's.
    public var trustedCertificateFile: String?
    /// What the client proves with who it is. Like a credential it goes to the host that it was given for, and nowhere
    /// else.
    public var clientCertificate: ClientCertificate?

    /// The system's certificates, and no proof of the client's.
    public init() {}

    /// A certificate of the client's, and its private key.
    public struct ClientCertificate: Sendable, Hashable {
        /// A file in PEM form, with the certificates behind it where the server needs them.
        public var certificateFile: String
        /// A file in PEM form; it may be the same.
        public var keyFile: String
        /// For a key that is encrypted.
        public var password: String?

        /// A certificate in one file and its key in another.
        public init(certificateFile: String, keyFile: String, password: String? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.password = password
        }
    }
}
