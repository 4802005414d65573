import Testing

@testable import EaselCore

import EaselFoundation

/// B26: requests of different identities never share an entry.
@Suite("Request: identity")
struct ImageRequestIdentityTests {
    private let base: ImageRequest

    init() throws {
        base = ImageRequest(try #require(URL(string: "https://images.test/a.png")))
    }

    @Test(
        "credentials separate both keys, whatever the case of the header name",
        arguments: ["Authorization", "cookie", "COOKIE"])
    func credentials(name: String) {
        let (first, second) = (makeRequest([name: "one"]), makeRequest([name: "two"]))
        #expect(Set([base.originalKey, first.originalKey, second.originalKey]).count == 3)
        #expect(Set([base.key, first.key, second.key]).count == 3)
        #expect(
            makeRequest([name.lowercased(): "one"]).originalKey == makeRequest([name.uppercased(): "one"]).originalKey)
    }

    @Test("identity headers separate keys, others do not")
    func identityHeaders() {
        #expect(makeRequest(["X-User": "one"]).key == base.key)
        let first = makeRequest(["X-User": "one"], identity: ["x-user"])
        let second = makeRequest(["X-User": "two"], identity: ["x-user"])
        #expect(first.key != second.key)
        #expect(first.key != base.key)
    }

    @Test("an identity header without a value does not affect the key")
    func absent() {
        #expect(makeRequest([:], identity: ["X-User"]).key == base.key)
    }

    @Test("the same value in another header is another identity")
    func otherName() {
        #expect(makeRequest(["Authorization": "one"]).key != makeRequest(["Cookie": "one"]).key)
    }

    @Test("no secret is in the text of the key")
    func secrets() {
        let request = makeRequest(["Authorization": "Bearer s3cret", "Cookie": "session=hunter2"])
        #expect(!request.key.text.contains("s3cret"))
        #expect(!request.key.text.contains("hunter2"))
    }

    @Test("credentials, certificates and cookies separate keys like headers")
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

    @Test("the user in a URL is a credential, and not in the text of the key")
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

    @Test("fragments are not sent, so that they share one download (R004, X124)")
    func fragments() throws {
        let requests = try ["", "#a", "#b"].map {
            ImageRequest(try #require(URL(string: "https://images.test/a?b=1" + $0)))
        }
        #expect(Set(requests.map(\.sharedOriginal)).count == 1)
        #expect(Set(requests.map(\.originalKey)).count == 1)
        let file = ImageRequest(URL(fileURLWithPath: "/a#b.png"))
        #expect(file.sharedOriginal.url == file.url)
    }

    @Test("headers affect the shared work, the priority does not")
    func work() {
        var urgent = base
        urgent.priority = .high
        #expect(urgent.sharedOriginal == base.sharedOriginal)
        #expect(makeRequest(["Authorization": "one"]).sharedOriginal != base.sharedOriginal)
        #expect(makeRequest(["Accept-Language": "de"]).sharedOriginal != base.sharedOriginal)
    }

    private func makeRequest(_ headers: HTTPHeaders, identity: Set<String> = []) -> ImageRequest {
        var request = base
        request.http.headers = headers
        request.http.identityHeaders = identity
        return request
    }
}

extension ImageRequestIdentityTests {
    private func makeRequest(_ headers: [String: String], identity: Set<String> = []) -> ImageRequest {
        makeRequest(
            HTTPHeaders(headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) }),
            identity: identity)
    }
}
