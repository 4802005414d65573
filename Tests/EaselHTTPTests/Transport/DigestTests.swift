#if OriginServer
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@testable import EaselCore

/// RFC 7616. The origin answers a right digest with the image, and any other request with a challenge.
@Suite("Transport: digest (R040)", .timeLimit(.minutes(1)))
struct DigestTests {
    private func start() async throws -> OriginServer {
        try await OriginServer.start {
            $0.respond("/a") { request in
                guard let field = request.headers["Authorization"], Self.isValid(field) else {
                    return OriginResponse.text("who are you?", type: "text/plain").with(status: 401).with(headers: [
                        "WWW-Authenticate": "Digest realm=\"images\", qop=\"auth\", nonce=\"n0nce\", algorithm=MD5"
                    ])
                }
                return .text("secret")
            }
        }
    }

    private func load(_ origin: OriginServer, password: String?) async throws -> (status: Int, body: String) {
        var request = HTTPRequest(url: origin.url("/a").absoluteString)
        request.credential = password.map { .digest(user: "user", password: $0) }
        let transport = CurlTransport()
        let response = try await transport.send(request)
        let body = String(decoding: try await response.body.all(), as: UTF8.self)
        await transport.shutDown()
        return (response.status, body)
    }

    @Test("the challenge is answered, and only the final response is returned")
    func right() async throws {
        let origin = try await start()
        let (status, body) = try await load(origin, password: "pass word")
        #expect(status == 200 && body == "secret")
        #expect(origin.requests.count == 2)
        // The password itself is never sent.
        #expect(origin.requests.allSatisfy { $0.headers["Authorization"]?.contains("pass word") != true })
        await origin.stop()
    }

    @Test("a wrong password, or none, is a 401 with its body")
    func wrong() async throws {
        let origin = try await start()
        for password in ["guess", nil] {
            let (status, body) = try await load(origin, password: password)
            #expect(status == 401 && body == "who are you?")
        }
        #expect(origin.requests.count == 3)
        await origin.stop()
    }

    private static func isValid(_ field: String) -> Bool {
        var values: [String: String] = [:]
        for part in field.dropFirst("Digest ".count).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return false }
            values[pair[0].trimmingCharacters(in: .whitespaces)] = pair[1].trimmingCharacters(
                in: .init(charactersIn: "\" "))
        }
        let secret = hash("user:images:pass word")
        let request = hash("GET:/a")
        let parts = [secret, "n0nce", values["nc"] ?? "", values["cnonce"] ?? "", "auth", request]
        return values["response"] == hash(parts.joined(separator: ":"))
    }

    private static func hash(_ text: String) -> String {
        let (high, low) = MD5.digest(text)
        return [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension OriginResponse {
    fileprivate func with(status: Int) -> OriginResponse {
        var copy = self
        copy.status = status
        return copy
    }
}
#endif
