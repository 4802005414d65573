import Testing

@testable import EaselCore

import EaselFoundation

/// B26: two requests that differ in who asks never share an entry.
@Suite("Request: who asks")
struct ImageRequestIdentityTests {
    private let base: ImageRequest

    init() throws {
        base = ImageRequest(try #require(URL(string: "https://images.test/a.png")))
    }

    @Test(
        "credentials split both keys, whatever the case of their names",
        arguments: ["Authorization", "cookie", "COOKIE"])
    func credentials(name: String) {
        let (first, second) = (with([name: "one"]), with([name: "two"]))
        #expect(Set([base.originalKey, first.originalKey, second.originalKey]).count == 3)
        #expect(Set([base.key, first.key, second.key]).count == 3)
        #expect(with([name.lowercased(): "one"]).originalKey == with([name.uppercased(): "one"]).originalKey)
    }

    @Test("headers that the request names as identity split keys; others do not")
    func identityHeaders() {
        #expect(with(["X-User": "one"]).key == base.key)
        let first = with(["X-User": "one"], identity: ["x-user"])
        let second = with(["X-User": "two"], identity: ["x-user"])
        #expect(first.key != second.key)
        #expect(first.key != base.key)
    }

    @Test("a name without a value says nothing: the key is the one of nobody")
    func absent() {
        #expect(with([:], identity: ["X-User"]).key == base.key)
    }

    @Test("the same value under another name is somebody else")
    func otherName() {
        #expect(with(["Authorization": "one"]).key != with(["Cookie": "one"]).key)
    }

    @Test("no secret is in the key's text")
    func secrets() {
        let request = with(["Authorization": "Bearer s3cret", "Cookie": "session=hunter2"])
        #expect(!request.key.text.contains("s3cret"))
        #expect(!request.key.text.contains("hunter2"))
    }

    @Test(
        "credentials, certificates and cookies of a request split keys like headers; without them the key is nobody's")
    func credentialsOfTheRequest() {
        let changes: [(inout ImageRequest) -> Void] = [
            { $0.http.credential = .basic(user: "u", password: "p") },
            { $0.http.credential = .digest(user: "u", password: "p") },
            { $0.http.credential = .bearer("u:p") },
            { $0.http.security.clientCertificate = .init(certificateFile: "/a", keyFile: "/b") },
            { $0.http.handlesCookies = true },
            { _ in },
        ]
        let requests = changes.map { change in
            var request = base
            change(&request)
            return request
        }
        #expect(Set(requests.map(\.originalKey)).count == changes.count)
        #expect(Set(requests.map(\.sharedOriginal)).count == changes.count)
        #expect(requests.allSatisfy { !$0.key.text.contains("u:p") })
    }

    @Test("the user of a URL is a credential, wherever it is written, and no part of a text that is shown")
    func userOfTheURL() throws {
        let inURL = ImageRequest(try #require(URL(string: "https://us%40er:s3cret@images.test/a.png?b=1#c")))
        let inRequest = ImageRequest(try #require(URL(string: "https://images.test/a.png?b=1"))) {
            $0.http.credential = .basic(user: "us@er", password: "s3cret")
        }
        let inHeader = ImageRequest(inRequest.url) {
            $0.http.headers["Authorization"] = "Basic " + Data("us@er:s3cret".utf8).base64EncodedString()
        }
        #expect(inURL.originalKey == inRequest.originalKey)
        #expect(inURL.originalKey == inHeader.originalKey)
        #expect(inURL.originalKey != ImageRequest(inRequest.url).originalKey)
        #expect(!inURL.key.text.contains("s3cret"))
        let mail = try #require(URL(string: "https://images.test/a@b.png"))
        #expect(ImageRequest(mail).key.text.contains("a@b.png"))
    }

    @Test("a fragment is no part of what a server is asked for: one download for all of them (R004, X124)")
    func fragments() throws {
        let requests = try ["", "#a", "#b"].map {
            ImageRequest(try #require(URL(string: "https://images.test/a?b=1" + $0)))
        }
        #expect(Set(requests.map(\.sharedOriginal)).count == 1)
        #expect(Set(requests.map(\.originalKey)).count == 1)
        let file = ImageRequest(URL(fileURLWithPath: "/a#b.png"))
        #expect(file.sharedOriginal.url == file.url)
    }

    @Test("priority is no part of a request's work, headers are")
    func work() {
        var urgent = base
        urgent.priority = .high
        #expect(urgent.sharedOriginal == base.sharedOriginal)
        #expect(with(["Authorization": "one"]).sharedOriginal != base.sharedOriginal)
        #expect(with(["Accept-Language": "de"]).sharedOriginal != base.sharedOriginal)
    }

    private func with(_ headers: HTTPHeaders, identity: Set<String> = []) -> ImageRequest {
        var request = base
        request.http.headers = headers
        request.http.identityHeaders = identity
        return request
    }
}

extension ImageRequestIdentityTests {
    private func with(_ headers: [String: String], identity: Set<String> = []) -> ImageRequest {
        with(
            HTTPHeaders(headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }),
            identity: identity)
    }
}
