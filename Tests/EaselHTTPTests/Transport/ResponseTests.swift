#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: responses", .timeLimit(.minutes(1)))
struct ResponseTests {
    @Test("A small body arrives whole, with its head")
    func smallBody() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello", type: "text/plain")) }
        let (response, bytes) = try await CurlTransport().get(origin.url("/a").absoluteString)
        #expect(response.status == 200)
        #expect(response.version == "HTTP/1.1")
        #expect(response.headers["content-type"] == "text/plain")
        #expect(response.bodyLength == 5)
        #expect(bytes == Array("hello".utf8))
        await origin.stop()
    }

    @Test("A chunked body arrives whole, without a length")
    func chunked() async throws {
        let data = Data(repeating: 7, count: 100_000)
        let origin = try await OriginServer.start { $0.respond("/a", with: .bytes(data), faults: [.chunked()]) }
        let (response, bytes) = try await CurlTransport().get(origin.url("/a").absoluteString)
        #expect(response.bodyLength == nil)
        #expect(bytes == Array(data))
        await origin.stop()
    }

    @Test("A redirect is returned as a response", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .redirect(to: "/b", status: status)) }
        let response = try await CurlTransport().get(origin.url("/a").absoluteString).response
        #expect(response.status == status)
        #expect(response.headers["Location"] == "/b")
        #expect(origin.requests(for: "/b").isEmpty)
        await origin.stop()
    }

    @Test("An error status is returned as a response with its body", arguments: [401, 404, 500])
    func status(status: Int) async throws {
        var errorResponse = OriginResponse.text("no")
        errorResponse.status = status
        let origin = try await OriginServer.start { [errorResponse] in $0.respond("/a", with: errorResponse) }
        let (response, bytes) = try await CurlTransport().get(origin.url("/a").absoluteString)
        #expect(response.status == status)
        #expect(bytes == Array("no".utf8))
        await origin.stop()
    }

    @Test("A range is answered with 206 and its own length")
    func range() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("0123456789")) }
        let (response, bytes) = try await CurlTransport().get(
            origin.url("/a").absoluteString, headers: ["Range": "bytes=4-"])
        #expect(response.status == 206)
        #expect(response.bodyLength == 6)
        #expect(bytes == Array("456789".utf8))
        await origin.stop()
    }

    @Test("A body returns `nil` after its last piece")
    func end() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let response = try await CurlTransport().get(origin.url("/a").absoluteString).response
        #expect(try await response.body.next() == nil)
        await origin.stop()
    }

    @Test("Each of many concurrent exchanges receives its own body")
    func parallel() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", handler: { .text(String(repeating: $0.query ?? "", count: 5000)) })
        }
        let transport = CurlTransport()
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let bytes = try await transport.get(origin.url("/a?\(number)").absoluteString).bytes
                    return bytes != Array(String(repeating: "\(number)", count: 5000).utf8)
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wrong == 0)
        #expect(Set(origin.requests.map(\.connection)).count <= 6)
        await origin.stop()
    }
}
#endif
