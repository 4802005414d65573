#if Server
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer
@testable import EaselServerTiers

@Suite(
    .serialized, .enabled(if: ServerScript.areInstalled("redis-server", "redis-cli"), "redis-server is not installed."))
struct SharedTierTests {
    /// Returns the settings of a server with Redis, whose limits a busy machine keeps.
    private func patientSettings(_ port: Int) throws -> ServerSettings {
        var settings = try settings(port)
        var configuration = try RedisConfiguration(url: "redis://127.0.0.1:\(port)")
        configuration.commandLimit = .seconds(10)
        configuration.connectLimit = .seconds(10)
        let client = try RedisConnector(configuration)
        let limits = GuardedTier.Configuration(
            lookupLimit: .seconds(10), storeLimit: .seconds(10), removalLimit: .seconds(10), pingLimit: .seconds(10))
        let tier = GuardedTier(RedisTier(client: client), limits)
        settings.routes.sharedTiers = [tier]
        settings.routes.leases = GuardedLeases(RedisLeases(client: client), sharing: tier, limit: .seconds(10))
        return settings
    }

    /// Returns the settings of a server with Redis.
    private func settings(_ port: Int) throws -> ServerSettings {
        try ServerSettings(
            try SettingValues(flags: [
                "listen": ["127.0.0.1:0"], "allow-private": ["127.0.0.1"], "no-log": ["true"],
                "shared": ["redis://127.0.0.1:\(port)"],
            ]))
    }

    /// Runs `body` with the port of a Redis.
    private func withRedis(_ body: (Int, ServerScript) async throws -> Void) async throws {
        let port = freePorts(1)[0]
        try await ServerScript.run("start-redis.sh", ["single", "\(port)"]) { script in try await body(port, script) }
    }

    @Test func `A result of one server is found by another`() async throws {
        try await withRedis { redis, _ in
            let shared = try patientSettings(redis)
            try await RunningServer.with({ $0 = shared }) { first in
                let target = first.target("w:16")
                let response = try await first.get(target)
                #expect(response.status == 200)
                let other = try patientSettings(redis)
                try await RunningServer.with({ $0 = other }) { second in
                    try await until { try await second.get(target)["etag"] == response["etag"] }
                    #expect(first.origin.requests(for: "/a.png").count == 1)
                    #expect(try await second.get("/health/ready").text.contains("\"redis\":\"in use\""))
                }
            }
        }
    }

    @Test func `Two servers make a result once`() async throws {
        try await withRedis { redis, _ in
            let gate = Gate()
            let (one, two) = (try patientSettings(redis), try patientSettings(redis))
            try await RunningServer.with(
                { $0 = one },
                routes: { configuration in
                    configuration.respond("/held.png", with: .image(.gradient(64, 64)), faults: [.hold(gate)])
                }
            ) { first in
                try await RunningServer.with({ $0 = two }) { (second) async throws in
                    let target = first.target("w:16", "/held.png")
                    async let made = first.get(target)
                    await first.origin.waitForRequests(1, for: "/held.png")
                    async let joined = second.get(target)
                    try await until { second.server.flightCallers == 1 }
                    gate.open()
                    #expect(try await made.status == 200)
                    #expect(try await joined.body == made.body)
                    #expect(first.origin.requests(for: "/held.png").count == 1)
                    #expect(try await first.metric("easel_server_shared_flights_total{outcome=\"led\"}") == 1)
                }
            }
        }
    }

    @Test func `A shared cache that does not answer fails no request`() async throws {
        try await withRedis { redis, script in
            let shared = try settings(redis)
            try await RunningServer.with({ $0 = shared }) { (server) async throws in
                #expect(try await server.get(server.target("w:4")).status == 200)
                script.signal(SIGSTOP, at: redis)
                for width in 5..<15 {
                    let started = ContinuousClock.now
                    #expect(try await server.get(server.target("w:\(width)")).status == 200)
                    #expect(ContinuousClock.now - started < .seconds(5))
                }
                script.signal(SIGCONT, at: redis)
                #expect(try await server.get("/health/ready").status == 200)
            }
        }
    }

    @Test func `PURGE removes results of a shared cache`() async throws {
        try await withRedis { redis, _ in
            var shared = try patientSettings(redis)
            shared.routes.purgeToken = "secret"
            let configured = shared
            try await RunningServer.with({ $0 = configured }) { first in
                let target = first.target("w:16")
                _ = try await first.get(target)
                try await until { try await first.metric("easel_server_tier_misses_total{tier=\"redis\"}") ?? 0 >= 1 }
                let purged = try await first.get(target, method: "PURGE", ["Authorization": "Bearer secret"])
                #expect(purged.status == 204)
                _ = try await first.get(target)
                #expect(first.origin.requests(for: "/a.png").count == 2)
            }
        }
    }
}

@Suite(
    .enabled(
        if: ServerScript.areInstalled(
            "swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server", "memcached"),
        "OpenStack Swift or memcached is not installed."))
struct SharedObjectStoreTests {
    @Test func `A result of one server is found by another in the object store`() async throws {
        let store = freePortRange(5)
        try await ServerScript.run("start-object-store.sh", ["\(store)"]) { _ in
            let endpoint = S3Endpoint(
                url: "http://127.0.0.1:\(store)",
                credentials: S3Credentials(accessKey: "test:tester", secretKey: "testing"))
            _ = try await S3Client(endpoint: endpoint, bucket: "results", transport: CurlTransport()).send("PUT", "")
            let flags = [
                "listen": ["127.0.0.1:0"], "allow-private": ["127.0.0.1"], "no-log": ["true"],
                "results": ["s3://results/images"], "s3-endpoint": [endpoint.url],
                "s3-access-key": ["test:tester"], "s3-secret-key": ["testing"],
            ]
            try await RunningServer.with({ $0 = try ServerSettings(try SettingValues(flags: flags)) }) { first in
                let target = first.target("w:16")
                let made = try await first.get(target)
                #expect(made.status == 200)
                await first.server.finishWrites()
                try await RunningServer.with({ $0 = try ServerSettings(try SettingValues(flags: flags)) }) {
                    (second) async throws in
                    let found = try await second.get(target)
                    #expect(found["etag"] == made["etag"])
                    #expect(found.body == made.body)
                    #expect(try await second.metric("easel_server_results_total{tier=\"s3\"}") == 1)
                }
                #expect(first.origin.requests(for: "/a.png").count == 1)
            }
        }
    }
}
#endif
