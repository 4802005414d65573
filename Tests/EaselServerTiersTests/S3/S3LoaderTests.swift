#if Server
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@testable import EaselServerTiers

@Suite("S3 loader")
struct S3LoaderTests {
    @Test("a redirect to another host is followed without the signature and the session")
    func redirect() async throws {
        let other = try await OriginServer.start { $0.respond("/k.png", with: .text("image")) }
        let location = other.url("/k.png").absoluteString
        let store = try await OriginServer.start { $0.respond("/b/k.png", with: .redirect(to: location)) }
        let endpoint = S3Endpoint(
            url: "http://127.0.0.1:\(store.port)",
            credentials: S3Credentials(accessKey: "a", secretKey: "b", sessionToken: "token"))
        let loader = S3Loader(endpoint: endpoint, transport: CurlTransport())
        _ = try await loader.load(ImageRequest(try #require(URL(string: "s3://b/k.png"))), LoadContext())
        #expect(store.requests.first?.headers["x-amz-security-token"] == "token")
        let redirected = try #require(other.requests.first)
        #expect(redirected.headers["x-amz-security-token"] == nil)
        #expect(redirected.headers["Authorization"] == nil)
        await store.stop()
        await other.stop()
    }
}
#endif
