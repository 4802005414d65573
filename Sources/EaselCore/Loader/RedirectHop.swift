import EaselFoundation

/// One exchange of a download, and the one that a redirect leads to.
///
/// Credentials go to the scheme, host and port that they were given for, and nowhere else. A value in a place of its own.
final class RedirectHop: Sendable {
    let request: HTTPRequest
    /// Where it goes, user and password included.
    let url: URL
    /// Whom the credentials are for.
    private let owner: URL
    private let identityHeaders: Set<String>
    private let count: Int

    private struct Origin: Equatable {
        let scheme: String?
        let host: String?
        let port: Int?

        init(_ url: URL) {
            scheme = url.scheme?.lowercased()
            host = url.host?.lowercased()
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }

    /// The first exchange of `request`.
    convenience init(_ request: ImageRequest, defaults: HTTPHeaders) {
        var headers = defaults
        for field in request.http.headers.fields { headers[field.name] = nil }
        for field in request.http.headers.fields { headers.append(name: field.name, value: field.value) }
        let credential = request.http.credential ?? HTTPCredential(request.url)
        if let authorization = credential?.authorization, headers["Authorization"] == nil {
            headers["Authorization"] = authorization
        }
        var first = HTTPRequest(
            url: "", headers: headers, timeouts: request.http.timeouts,
            allowsInvalidCertificates: request.options.contains(.allowInvalidCertificates))
        first.security = request.http.security
        first.credential = credential
        self.init(
            request: first, url: request.url, owner: request.url, identityHeaders: request.http.identityHeaders,
            count: 0)
    }

    private init(request: HTTPRequest, url: URL, owner: URL, identityHeaders: Set<String>, count: Int) {
        var request = request
        request.url = Self.withoutUserAndFragment(url)
        self.request = request
        self.url = url
        self.owner = owner
        self.identityHeaders = identityHeaders
        self.count = count
    }

    /// The same exchange with another request in place of its own.
    ///
    /// - Throws: `ImageError.invalidRequest` where that has a malformed URL.
    func replacing(_ request: HTTPRequest) throws(ImageError) -> RedirectHop {
        guard request != self.request else { return self }
        var url = self.url
        if request.url != self.request.url {
            guard let other = URL(string: request.url) else {
                throw .invalidRequest("the request modifier gave it a malformed URL.")
            }
            url = other
        }
        return RedirectHop(
            request: request, url: url, owner: url, identityHeaders: identityHeaders, count: count)
    }

    /// What is sent, if the guard lets it pass: with cookies, and the address to be checked where that matters.
    ///
    /// - Throws: `ImageError.forbiddenAddress`.
    func exchange(
        _ configuration: ImageDownloader.Configuration, handlesCookies: Bool
    ) throws(ImageError) -> HTTPRequest {
        var request = request
        if try configuration.guard.check(url) {
            request.requiresPublicAddress = true
            request.translationPrefixes = configuration.guard.translationPrefixes
        }
        if handlesCookies, request.headers["Cookie"] == nil {
            request.headers["Cookie"] = configuration.cookies.field(for: url)
        }
        return request
    }

    /// The exchange that `response` asks for, or `nil` where it is an answer (RFC 9110 15.4).
    ///
    /// - Throws: `ImageError.tooManyRedirects` (a circle ends there too), `.invalidResponse` for a missing or forbidden place.
    func following(_ response: HTTPResponse, maximum: Int) throws(ImageError) -> RedirectHop? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        guard let location = response.headers["Location"], !location.isEmpty else {
            throw .invalidResponse("it redirects without saying where.")
        }
        guard count < maximum else { throw .tooManyRedirects(maximum) }
        guard let next = URL(string: location, relativeTo: url)?.absoluteURL, let scheme = next.scheme?.lowercased()
        else { throw .invalidResponse("it redirects to a malformed address.") }
        guard scheme == "http" || scheme == "https" else {
            throw .invalidResponse("it redirects to a \(scheme): address, which is not followed.")
        }
        guard next.host?.isEmpty == false else {
            throw .invalidResponse("it redirects to an address without a host.")
        }
        var request = request
        if Origin(next) != Origin(owner) {
            for name in identityHeaders.union(Self.identityHeaders) { request.headers[name] = nil }
            request.credential = nil
            request.security.clientCertificate = nil
        }
        return RedirectHop(
            request: request, url: next, owner: owner, identityHeaders: identityHeaders, count: count + 1)
    }

    /// A Host field names the first server too: for another it is wrong.
    private static let identityHeaders: Set<String> = ["Authorization", "Cookie", "Proxy-Authorization", "Host"]

    /// Few URLs have either, and only they are taken apart.
    private static func withoutUserAndFragment(_ url: URL) -> String {
        let text = url.absoluteString
        guard text.has("@") || text.has("#") else { return text }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        parts.user = nil
        parts.password = nil
        parts.fragment = nil
        return parts.string ?? url.absoluteString
    }
}
