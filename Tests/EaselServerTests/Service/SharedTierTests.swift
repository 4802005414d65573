#if Server
import EaselTesting
import Foundation
import Testing

@testable import EaselServer

@Suite(.serialized, .enabled(if: RedisProcess.path != nil, "redis-server is not installed."))
struct SharedTierTests {
    /// Returns the settings of a server with Redis.
    private func settings(_ redis: RedisProcess) throws -> ServerSettings {
        try ServerSettings(
            try SettingValues(flags: [
                "listen": ["127.0.0.1:0"], "allow-private": ["127.0.0.1"], "no-log": ["true"],
                "shared": ["redis://127.0.0.1:\(redis.port)"],
            ]))
    }

    @Test func `A result of one server is found by another`() async throws {
        try await RedisProcess.run { redis in
            let shared = try settings(redis)
            try await RunningServer.with({ $0 = shared }) { first in
                let target = first.target("w:16")
                let response = try await first.get(target)
                #expect(response.status == 200)
                let other = try settings(redis)
                try await RunningServer.with({ $0 = other }) { second in
                    try await until { try await second.get(target)["etag"] == response["etag"] }
                    #expect(first.origin.requests(for: "/a.png").count == 1)
                    #expect(try await second.get("/health/ready").text.contains("\"redis\":\"in use\""))
                }
            }
        }
    }

    @Test func `Two servers make a result once`() async throws {
        try await RedisProcess.run { redis in
            let gate = Gate()
            let (one, two) = (try settings(redis), try settings(redis))
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
        try await RedisProcess.run { redis in
            let shared = try settings(redis)
            try await RunningServer.with({ $0 = shared }) { (server) async throws in
                #expect(try await server.get(server.target("w:4")).status == 200)
                redis.signal(SIGSTOP)
                for width in 5..<15 {
                    let started = ContinuousClock.now
                    #expect(try await server.get(server.target("w:\(width)")).status == 200)
                    #expect(ContinuousClock.now - started < .seconds(5))
                }
                redis.signal(SIGCONT)
                #expect(try await server.get("/health/ready").status == 200)
            }
        }
    }

    @Test func `PURGE removes results of a shared cache`() async throws {
        try await RedisProcess.run { redis in
            var shared = try settings(redis)
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
#endif
