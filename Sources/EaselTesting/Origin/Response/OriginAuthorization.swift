import EaselFoundation

/// The credentials that a route of the origin asks for.
public enum OriginAuthorization: Sendable, Equatable {
    /// A name and a password (RFC 7617).
    case basic(user: String, password: String)
    /// A token (RFC 6750).
    case bearer(String)

    /// The `Authorization` field that is accepted.
    public var field: String {
        switch self {
        case .basic(let user, let password): "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        }
    }

    /// The `WWW-Authenticate` field that everyone else gets.
    var challenge: String {
        switch self {
        case .basic: "Basic realm=\"origin\", charset=\"UTF-8\""
        case .bearer: "Bearer realm=\"origin\""
        }
    }
}
