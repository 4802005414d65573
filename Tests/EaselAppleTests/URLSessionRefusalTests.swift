import EaselApple
import EaselCore
import Foundation
import Testing

@Suite("URLSession transport: refusals")
struct URLSessionRefusalTests {
    private let transport = URLSessionTransport()

    @Test("a request that requires a public address is refused")
    func publicAddress() async {
        var request = HTTPRequest(url: "http://a.example/")
        request.requiresPublicAddress = true
        await #expect(
            throws: ImageError.unsupported("URLSession does not report the address it connects to. Use CurlTransport.")
        ) {
            try await transport.send(request)
        }
    }

    @Test("a client certificate from a file is refused")
    func clientCertificate() async {
        var request = HTTPRequest(url: "https://a.example/")
        request.security.clientCertificate = .init(certificateFile: "/a.pem", keyFile: "/a.key")
        await #expect(
            throws: ImageError.unsupported("URLSession cannot use a client certificate file. Use CurlTransport.")
        ) {
            try await transport.send(request)
        }
    }

    @Test("a header that could become a second line is refused")
    func header() async {
        await #expect(
            throws: ImageError.unsupported("The request's header X has a line break or control character in it.")
        ) {
            try await transport.send(HTTPRequest(url: "http://a.example/", headers: ["X": "a\r\nb"]))
        }
    }

    @Test("a URL that is not absolute http is refused", arguments: ["file:///a", "http:/a", "http://", "http://a b/"])
    func url(url: String) async {
        await #expect {
            try await transport.send(HTTPRequest(url: url))
        } throws: { error in
            (error as? ImageError)?.code == .invalidURL
        }
    }
}
