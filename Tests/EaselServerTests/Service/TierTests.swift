#if Server
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(.serialized)
struct TierTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path)
    }

    @Test func `A result is found in memory`() async throws {
        try await RunningServer.with { server in
            let target = server.target("w:16")
            let first = try await server.get(target)
            let second = try await server.get(target)
            #expect(first.body == second.body)
            #expect(try await server.metric("easel_server_results_total{tier=\"memory\"}") == 1)
            #expect(server.origin.requests(for: "/a.png").count == 1)
        }
    }

    @Test func `A result in memory does not overtake the response before it`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/held.png", with: .image(.gradient(64, 64)), faults: [.hold(gate)])
        }) { server in
            let hit = server.target("w:16")
            let first = try await server.get(hit)
            let connection = try await WireConnection(port: server.port)
            let requests = [hit, server.target("w:8", "/held.png"), hit, "/health/live", hit].map {
                "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n"
            }
            try await connection.send(requests.joined())
            #expect(try await connection.response().body == first.body)
            await server.origin.waitForRequests(1, for: "/held.png")
            gate.open()
            #expect(try await connection.response().image().size.width == 8)
            #expect(try await connection.response().body == first.body)
            #expect(try await connection.response().text.contains("live"))
            let last = try await connection.response()
            #expect(last.body == first.body)
            #expect(last["date"] != nil)
            #expect(try await server.metric("easel_server_results_total{tier=\"memory\"}") == 3)
        }
    }

    @Test func `A result in memory ends a connection that its client wants to end`() async throws {
        try await RunningServer.with { server in
            let hit = server.target("w:16")
            _ = try await server.get(hit)
            let connection = try await WireConnection(port: server.port)
            #expect(try await connection.request(hit, ["Connection": "close"]).status == 200)
            #expect(try await connection.waitForEnd() == 0)
        }
    }

    @Test func `A result on disk is found by the next server`() async throws {
        try await withFolder { folder in
            var etag: String?
            var port = 0
            try await RunningServer.with({ $0.routes.cacheFolder = folder }) { server in
                etag = try await server.get(server.target("w:16"))["etag"]
                port = server.origin.port
            }
            let configure = { (settings: inout ServerSettings) in settings.routes.cacheFolder = folder }
            try await RunningServer.with(configure, routes: { [port] in $0.port = port }) { server in
                let response = try await server.get(server.target("w:16"))
                #expect(response["etag"] == etag)
                #expect(server.origin.requests(for: "/a.png").isEmpty)
                #expect(try await server.metric("easel_server_results_total{tier=\"disk\"}") == 1)
            }
        }
    }

    @Test func `A source on disk makes another size`() async throws {
        try await withFolder { folder in
            try await RunningServer.with({ $0.routes.cacheFolder = folder }) { server in
                _ = try await server.get(server.target("w:16"))
                try await until { FileManager.default.fileExists(atPath: folder + "/sources") }
                try await until {
                    (try? FileManager.default.contentsOfDirectory(atPath: folder + "/sources"))?.isEmpty == false
                }
                #expect(try await server.get(server.target("w:17")).status == 200)
                #expect(server.origin.requests(for: "/a.png").count == 1)
            }
        }
    }

    @Test func `Without a folder, a source in memory makes another size until PURGE`() async throws {
        try await RunningServer.with({ $0.routes.purgeToken = "secret" }) { server in
            for options in ["w:16", "w:17", "raw:1"] {
                #expect(try await server.get(server.target(options)).status == 200)
            }
            #expect(server.origin.requests(for: "/a.png").count == 1)
            _ = try await server.get(server.target("w:16"), method: "PURGE", ["Authorization": "Bearer secret"])
            #expect(try await server.get(server.target("w:18")).status == 200)
            #expect(server.origin.requests(for: "/a.png").count == 2)
        }
    }

    @Test func `A stale result whose source has not changed is used again`() async throws {
        try await RunningServer.with(routes: { configuration in
            var response = OriginResponse.image(.gradient(8, 8))
            response.headers["Cache-Control"] = "max-age=0"
            response.headers["ETag"] = "\"one\""
            configuration.respond("/stale.png", with: response)
        }) { server in
            let target = server.target("w:4", "/stale.png")
            let first = try await server.get(target)
            let second = try await server.get(target)
            #expect(first["etag"] == second["etag"])
            #expect(try await server.metric("easel_server_unchanged_total") == 1)
            #expect(try await server.metric("easel_server_encode_seconds_count{format=\"png\"}") == 1)
        }
    }

    @Test func `A stale result is used while it is made again`() async throws {
        let gate = Gate()
        try await RunningServer.with(routes: { configuration in
            var first = OriginResponse.image(.gradient(8, 8))
            first.headers["Cache-Control"] = "max-age=0, stale-while-revalidate=600"
            var second = OriginResponse.image(.checkerboard(8, 8))
            second.headers["Cache-Control"] = "max-age=600"
            second.faults = [.hold(gate)]
            configuration.respond("/stale.png", with: [first, second])
        }) { server in
            let target = server.target("w:4", "/stale.png")
            let first = try await server.get(target)
            let stale = try await server.get(target)
            #expect(stale["etag"] == first["etag"])
            await server.origin.waitForRequests(2, for: "/stale.png")
            gate.open()
            try await until { try await server.get(target)["etag"] != first["etag"] }
        }
    }

    @Test func `A source in an object store has the lifetime that it states for shared caches`() async throws {
        let port = freePorts(1)[0]
        let flags = [
            "listen": ["127.0.0.1:0"], "no-log": ["true"], "s3-endpoint": ["http://127.0.0.1:\(port)"],
            "s3-access-key": ["a"], "s3-secret-key": ["b"],
        ]
        try await RunningServer.with(
            { $0 = try ServerSettings(try SettingValues(flags: flags)) },
            routes: { configuration in
                configuration.port = port
                var response = OriginResponse.image(.gradient(8, 8))
                response.headers["Cache-Control"] = "max-age=60, s-maxage=6000"
                configuration.respond("/b/k.png", with: response)
            }
        ) { server in
            let response = try await server.get("/unsafe/w:4/plain/s3://b/k.png")
            let values = [6000, 5999].map { "public, max-age=60, s-maxage=\($0)" }
            #expect(values.contains(response["cache-control"] ?? ""))
        }
    }

    @Test func `PURGE removes the results of a source`() async throws {
        try await withFolder { folder in
            try await RunningServer.with({
                $0.routes.cacheFolder = folder
                $0.routes.purgeToken = "secret"
            }) { server in
                let target = server.target("w:16")
                _ = try await server.get(target)
                #expect(try await server.get(target, method: "PURGE").status == 403)
                #expect(try await server.get(target, method: "PURGE", ["Authorization": "Bearer wrong!"]).status == 403)
                let purged = try await server.get(target, method: "PURGE", ["Authorization": "Bearer secret"])
                #expect(purged.status == 204)
                _ = try await server.get(target)
                #expect(server.origin.requests(for: "/a.png").count == 2)
            }
        }
    }
}
#endif
