import EaselFoundation

/// The times and redirects of one download, from which follows what is remembered of its answer.
struct ResponseTrail {
    /// The fields that the server could choose by. Those of the first request, also behind a redirect to another host,
    /// which does not get all of them.
    private let request: HTTPHeaders
    private let date: @Sendable () -> Date
    private var requested: Date
    private var received: Date
    private var redirectsFreshUntil: Date?

    init(request: HTTPHeaders, date: @escaping @Sendable () -> Date) {
        self.request = request
        self.date = date
        requested = date()
        received = requested
    }

    /// A request is about to be sent.
    mutating func begin() {
        requested = date()
    }

    /// Its head has come.
    mutating func end(_ response: HTTPResponse) {
        received = date()
        guard (300..<400).contains(response.status), response.status != 304 else { return }
        let end = StoredResponse.redirectFreshUntil(
            status: response.status, headers: response.headers, requested: requested, received: received)
        redirectsFreshUntil = min(redirectsFreshUntil ?? end, end)
    }

    /// What is remembered of the last answer, which `url` gave.
    func stored(_ response: HTTPResponse, url: String) -> StoredResponse {
        var stored = StoredResponse(
            status: response.status, headers: response.headers, url: url, request: request, requested: requested,
            received: received)
        stored.redirectsFreshUntil = redirectsFreshUntil
        return stored
    }

    /// What is remembered of `stored` after a 304; `nil` where that is about another version.
    func confirmed(_ stored: StoredResponse, _ response: HTTPResponse) -> StoredResponse? {
        var confirmed = stored.confirmed(
            by: response.headers, request: request, requested: requested, received: received)
        confirmed?.redirectsFreshUntil = redirectsFreshUntil
        return confirmed
    }
}

extension ImageDownloader {
    /// The fields of the first exchange: the request's in place of the defaults.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        RedirectHop(request, defaults: configuration.headers).request.headers
    }
}

extension ImageRequest {
    /// The same load, as a question whether `stored` is still current.
    func validating(_ stored: StoredResponse?) -> ImageRequest {
        var request = self
        request.fields.http.stored = stored
        return request
    }
}
