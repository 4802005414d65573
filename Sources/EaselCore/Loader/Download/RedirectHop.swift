import EaselFoundation

/// One exchange of a download, and the next one after a redirect.
///
/// Credentials are sent only to the scheme, host and port of the download's URL.
struct RedirectHop {
    private(set) var request: HTTPRequest
    /// The URL of the exchange, with user and password.
    private(set) var url: URL
    /// The URL that the credentials belong to.
    private var owner: URL
    private let identityHeaders: Set<String>
    private var count = 0

    fileprivate struct Origin: Equatable {
        let scheme: String?
        let host: String?
        let port: Int?

        init(_ url: URL) {
            scheme = url.scheme?.lowercased()
            host = url.host?.lowercased()
            port = url.port ?? (scheme == "https" ? 443 : 80)
        }
    }

    /// Creates the first exchange of a request.
    init(_ request: ImageRequest, defaults: HTTPHeaders) {
        var headers = defaults
        for field in request.http.headers.fields { headers[field.name] = nil }
        for field in request.http.headers.fields { headers.append(name: field.name, value: field.value) }
        let credential = request.http.credential ?? HTTPCredential(request.url)
        if let authorization = credential?.authorization, headers["Authorization"] == nil {
            headers["Authorization"] = authorization
        }
        self.request = HTTPRequest(
            url: request.url.textWithoutUserAndFragment, headers: headers, timeouts: request.http.timeouts,
            allowsInvalidCertificates: request.options.contains(.allowInvalidCertificates))
        self.request.security = request.http.security
        self.request.credential = credential
        url = request.url
        owner = request.url
        identityHeaders = request.http.identityHeaders
    }

    /// Replaces the request with that of a request modifier.
    ///
    /// - Throws: `ImageError.invalidRequest` if its URL is malformed.
    mutating func replace(by request: HTTPRequest) throws(ImageError) {
        guard request != self.request else { return }
        if request.url != self.request.url {
            guard let url = URL(string: request.url) else {
                throw .invalidRequest("the request modifier gave it a malformed URL.")
            }
            self.url = url
        }
        owner = url
        self.request = request
        self.request.url = url.textWithoutUserAndFragment
    }

    /// Returns the request to send, with cookies, if the guard allows it.
    ///
    /// - Throws: `ImageError.forbiddenAddress`.
    func makeRequest(
        _ configuration: ImageDownloader.Configuration, handlesCookies: Bool
    ) throws(ImageError) -> HTTPRequest {
        var request = request
        if try configuration.hostGuard.check(url) { request.requiresPublicAddress = true }
        if handlesCookies, request.headers["Cookie"] == nil {
            request.headers["Cookie"] = configuration.cookies.field(for: url)
        }
        return request
    }

    /// Returns the next exchange if `response` is a redirect (RFC 9110 15.4).
    ///
    /// - Throws: `ImageError.tooManyRedirects`, `.invalidResponse` for a missing or forbidden location.
    func makeNext(after response: HTTPResponse, maximum: Int) throws(ImageError) -> RedirectHop? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        guard let location = response.headers["Location"], !location.isEmpty else {
            throw .invalidResponse("it redirects without an address.")
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
        var hop = self
        hop.url = next
        hop.count += 1
        hop.request.url = next.textWithoutUserAndFragment
        // Of a method that a request modifier has set (15.4.4).
        if response.status == 303, hop.request.method != "HEAD" { hop.request.method = "GET" }
        if Origin(next) != Origin(owner) {
            Self.removeCredentials(
                &hop.request.headers, &hop.request.credential, &hop.request.security, identityHeaders)
        }
        return hop
    }

    /// Removes what only the origin of a user's request may receive.
    fileprivate static func removeCredentials(
        _ headers: inout HTTPHeaders, _ credential: inout HTTPCredential?, _ security: inout HTTPSecurity,
        _ identityHeaders: Set<String>
    ) {
        // `Host` also names the first server.
        let names = identityHeaders.union(["Authorization", "Cookie", "Proxy-Authorization", "Host"])
        for name in names { headers[name] = nil }
        credential = nil
        security.clientCertificate = nil
    }
}

extension ImageRequest {
    /// Returns the request for another URL, without the user's credentials if that has another origin.
    func moved(to url: URL) -> ImageRequest {
        var request = self
        request.url = url
        guard RedirectHop.Origin(url) != RedirectHop.Origin(self.url) else { return request }
        var moved = http
        RedirectHop.removeCredentials(&moved.headers, &moved.credential, &moved.security, http.identityHeaders)
        request.http = moved
        return request
    }
}
