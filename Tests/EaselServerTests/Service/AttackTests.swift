#if Server
import EaselCodecs
import EaselCore
import EaselServerURLs
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

/// What a client, or the server of a source, can try. `SafetyTests` has the defaults.
@Suite(.serialized)
struct AttackTests {
    // MARK: - Requests into the network of the server

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect leads nowhere that a request may not go`(status: Int) async throws {
        try await RunningServer.with { server in
            for location in [
                "http://localhost:\(server.origin.port)/a.png", "http://[::1]:\(server.origin.port)/a.png",
                "http://[::ffff:7f00:1]:\(server.origin.port)/a.png", "http://0.0.0.0:\(server.origin.port)/a.png",
                "http://169.254.169.254/latest/meta-data/", "//10.0.0.1/a.png", "file:///etc/passwd",
                "gopher://127.0.0.1:\(server.origin.port)/a.png", "local:///etc/passwd", "s3://bucket/key",
            ] {
                var response = OriginResponse.redirect(to: location)
                response.status = status
                server.origin.respond("/redirect.png", with: response)
                let answer = try await server.get(server.target("w:4/cb:\(UUID())", "/redirect.png"))
                #expect([403, 502].contains(answer.status), "\(location): \(answer.status)")
            }
            #expect(server.origin.requests(for: "/a.png").isEmpty)
        }
    }

    @Test func `A redirect to an allowed host does not allow the next one`() async throws {
        try await RunningServer.with { (server) async throws in
            server.origin.respond("/1.png", with: .redirect(to: server.origin.url("/2.png").absoluteString))
            server.origin.respond("/2.png", with: .redirect(to: "http://localhost:\(server.origin.port)/a.png"))
            #expect(try await server.get(server.target("w:4", "/1.png")).code == "forbiddenSource")
            #expect(server.origin.requests(for: "/a.png").isEmpty)
        }
    }

    /// A name of this machine stands for one whose address changes after it was checked.
    static let ownName: String? = {
        let name = ProcessInfo.processInfo.hostName
        var addresses: UnsafeMutablePointer<addrinfo>?
        guard name != "localhost", !name.hasSuffix(".localhost"), getaddrinfo(name, nil, nil, &addresses) == 0 else {
            return nil
        }
        freeaddrinfo(addresses)
        return name
    }()

    @Test(.enabled(if: AttackTests.ownName != nil, "This machine has no name."))
    func `A name that leads to a private address is refused when it is connected to`() async throws {
        let name = try #require(Self.ownName)
        try await RunningServer.with { (server) async throws in
            let target = "/unsafe/w:4/plain/http://\(name):\(server.origin.port)/a.png"
            #expect(try await server.get(target).code == "forbiddenSource")
            server.origin.respond("/redirect.png", with: .redirect(to: "http://\(name):\(server.origin.port)/a.png"))
            #expect(try await server.get(server.target("w:4", "/redirect.png")).code == "forbiddenSource")
            #expect(server.origin.requests(for: "/a.png").isEmpty)
        }
    }

    @Test func `A URL hides no other host`() async throws {
        try await RunningServer.with { server in
            let port = server.origin.port
            for source in [
                "http://example.com@localhost:\(port)/a.png", "http://localhost%3A\(port)/a.png",
                "http://localhost:\(port)%2Fa.png", "http://localhost%5C@127.0.0.1/a.png",
                "http://localhost%00.example.com:\(port)/a.png", "http://%5B::1%5D:\(port)/a.png",
            ] {
                let response = try await server.get("/unsafe/w:4/plain/\(source)")
                #expect([403, 422].contains(response.status), "\(source): \(response.status)")
            }
            #expect(server.origin.requests.isEmpty)
        }
    }

    // MARK: - Too much

    @Test func `A small file with a huge image is refused before it is decoded`() async throws {
        try await RunningServer.with { server in
            var gif = try TestImage.gradient(8, 8).encoded(as: .gif)
            gif.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
            var qoi = try TestImage.gradient(8, 8).encoded(as: .qoi)
            qoi.replaceSubrange(4..<12, with: [0, 1, 0, 0, 0, 1, 0, 0])
            for (name, file) in [("gif", gif), ("qoi", qoi)] {
                server.origin.respond("/huge.\(name)", with: .bytes(file, type: "image/\(name)"))
                for options in ["w:4", "raw:1", "rt:force/w:4/h:4"] {
                    let response = try await server.get(server.target(options, "/huge.\(name)"))
                    #expect(response.status == 413, "\(name) \(options): \(response.status) \(response.code ?? "")")
                }
            }
            #expect(try await server.metric("easel_server_pixel_bytes") == 0)
        }
    }

    @Test func `A compressed response counts by its bytes`() async throws {
        try await RunningServer.with({ $0.routes.sourceLimits.bytes = 1 << 20 }) { (server) async throws in
            server.origin.respond("/a.bin", with: OriginResponse.bytes(Data(count: 64 << 20)).compressed())
            #expect(try await server.get(server.target("raw:1", "/a.bin")).code == "tooLarge")
        }
    }

    @Test func `A source that announces or sends too much is refused`() async throws {
        try await RunningServer.with({ $0.routes.sourceLimits.bytes = 1 << 20 }) { (server) async throws in
            let large = OriginResponse.bytes(Data(count: 4 << 20), type: "image/png")
            server.origin.respond("/chunks.png", with: large, faults: [.chunked(size: 65_536)])
            server.origin.respond("/announced.png", with: .image(.gradient(8, 8)), faults: [.wrongLength(1 << 40)])
            server.origin.respond(
                "/fields.png", with: .image(.gradient(8, 8)), faults: [.extraHeaders(count: 5_000, size: 500)])
            #expect(try await server.get(server.target("w:4", "/chunks.png")).status == 413)
            #expect(try await server.get(server.target("w:4", "/announced.png")).status == 413)
            #expect(try await server.get(server.target("w:4", "/fields.png")).status == 502)
        }
    }

    @Test(arguments: [
        "rs:force:50000:50000:1", "w:60000/el:1", "z:1000", "dpr:1000/w:64/el:1", "pd:40000:40000",
        "ex:1/w:60000/h:60000",
    ])
    func `A huge result is refused before anything is decoded`(options: String) async throws {
        try await RunningServer.with { (server) async throws in
            let response = try await server.get(server.target(options))
            #expect([200, 422].contains(response.status))
            if response.status == 200 {
                let size = try response.image().size
                #expect(size.width * size.height <= 50_000_000)
            }
            #expect(try await server.metric("easel_server_pixel_bytes") == 0)
        }
    }

    @Test func `Many fields are refused with 431, and many values cost no more than one`() async throws {
        try await RunningServer.with { (server) async throws in
            let target = server.target("w:4")
            let list = String(repeating: "\"x\", ", count: 3_000)
            #expect(try await server.get(target, ["If-None-Match": list]).status == 200)
            #expect(
                try await server.get(target, ["Accept": String(repeating: "image/webp;q=0.1,", count: 1_000)]).status
                    == 200)
            #expect(
                try await server.get(
                    target, ["Range": "bytes=" + (0..<2_000).map { "\($0)-\($0)" }.joined(separator: ",")]
                ).status == 200)
            let many = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("X-\($0)", "a") })
            #expect(try await server.get(target, many).status == 431)
        }
    }

    // MARK: - Other URLs than those that were signed

    @Test func `No change of a signed URL is accepted, also after it was used`() async throws {
        let key = try SigningKey(hexadecimalKey: "943b421c9eb07c83", salt: "520f986b998545b4")
        let other = try SigningKey(hexadecimalKey: "943b421c9eb07c84", salt: "520f986b998545b4")
        try await RunningServer.with(RunningServer.requiring(key)) { (server) async throws in
            let path = "/rs:fit:8:8/plain/\(server.origin.url("/a.png"))"
            let signature = key.signature(of: path)
            #expect(try await server.get("/\(signature)\(path)").status == 200)
            let signatures = [
                "", "unsafe", "_", "insecure", String(signature.dropLast()), signature + "A",
                signature.lowercased(), String(signature.reversed()), other.signature(of: path),
                signature.replacing(
                    signature.prefix(1), with: signature.hasPrefix("A") ? "B" : "A", maxReplacements: 1),
            ]
            for changed in signatures {
                #expect(try await server.get("/\(changed)\(path)").status == 403, "\(changed)")
            }
            for changed in [
                path + "@png", path + "?", path + "%20", "/" + path, path.replacing("/plain/", with: "/w:9/plain/"),
                path.replacing("rs:fit", with: "resize:fit"), path.replacing("a.png", with: "%61.png"),
            ] where changed != path + "?" {
                #expect(try await server.get("/\(signature)\(changed)").status == 403, "\(changed)")
            }
            #expect(server.origin.requests.count == 1)
        }
    }

    // MARK: - Fields of others

    @Test func `A source URL adds no field to the request`() async throws {
        try await RunningServer.with { server in
            let origin = "http://127.0.0.1:\(server.origin.port)"
            for source in [
                "\(origin)/a.png%0d%0aX-Injected:%20a", "\(origin)/a.png%20HTTP/1.1%0d%0aX-Injected:%20a",
                "\(origin)%0d%0aX-Injected:%20a/a.png", "\(origin)/a.png%23%0aX-Injected:a",
            ] {
                _ = try await server.get("/unsafe/w:4/plain/\(source)")
            }
            let state = [
                "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": "a=\u{1}b",
            ]
            _ = try await server.get(server.target("w:4"), state)
            for request in server.origin.requests {
                #expect(request.headers["X-Injected"] == nil)
                #expect(request.headers["tracestate"] == nil)
            }
        }
    }

    @Test func `A source adds no field to the response, whatever it sends`() async throws {
        try await RunningServer.with { server in
            var response = OriginResponse.image(.gradient(8, 8))
            response.headers["Set-Cookie"] = "a=b"
            response.headers["Content-Type"] = "text/html"
            response.headers["Content-Disposition"] = "attachment; filename=a.exe"
            response.headers["Access-Control-Allow-Credentials"] = "true"
            response.headers["Refresh"] = "0; url=http://example.com/"
            server.origin.respond("/fields.png", with: response)
            for options in ["w:4", "raw:1"] {
                let answer = try await server.get(server.target(options, "/fields.png"))
                #expect(answer["content-type"] == "image/png" || answer.status == 502)
                for name in ["set-cookie", "content-disposition", "access-control-allow-credentials", "refresh"] {
                    #expect(answer[name] == nil)
                }
                #expect(answer["x-content-type-options"] == "nosniff")
            }
        }
    }

    @Test func `A body after a request is not the next request`() async throws {
        try await RunningServer.with { server in
            let connection = try await WireConnection(port: server.port)
            try await connection.send(
                "POST \(server.target("w:4")) HTTP/1.1\r\nHost: a\r\nContent-Length: 41\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\n\r\n")
            let first = try await connection.response()
            #expect([400, 405].contains(first.status))
            #expect(server.origin.requests.isEmpty)
        }
    }
}
#endif
