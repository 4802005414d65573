#if Server
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServerTiers

@Suite(
    "Redis with TLS",
    .enabled(if: redisIsInstalled && ServerScript.areInstalled("openssl"), "redis-server or openssl is not installed"))
struct RedisTLSTests {
    @Test("a server with a trusted certificate is used, and one with another certificate is not")
    func certificates() async throws {
        let port = freePorts(1)[0]
        try await ServerScript.run("start-redis.sh", ["tls", "\(port)"]) { servers in
            var configuration = RedisConfiguration.test(port)
            configuration.security = .init()
            let file = try #require(servers.certificateFile)
            configuration.security?.trustedCertificateFile = file
            for host in ["127.0.0.1", "localhost"] {
                configuration.servers = [RedisAddress(host: host, port: port)]
                let client = try RedisConnector(configuration)
                try await client.ping()
                let tier = RedisTier(client: client)
                try await tier.store(.text("x"), for: SharedKey("a"), lifetime: .seconds(60))
                #expect(try await tier.value(for: SharedKey("a")) == .text("x"))
                await client.shutDown()
            }
            configuration.security = .init()
            let untrusting = try RedisConnector(configuration)
            await #expect { try await untrusting.ping() } throws: { ($0 as? TierError)?.code == .unreachable }
            await untrusting.shutDown()
            let plain = try RedisConnector(.test(port))
            await #expect(throws: TierError.self) { try await plain.ping() }
            await plain.shutDown()
        }
    }

    @Test("a certificate that cannot be read is an invalid configuration")
    func missingFile() {
        var configuration = RedisConfiguration.test(1)
        configuration.security = .init()
        configuration.security?.trustedCertificateFile = "/nonexistent"
        #expect { try RedisConnector(configuration) } throws: { ($0 as? TierError)?.code == .invalidConfiguration }
    }
}

@Suite("Redis cluster", .enabled(if: redisIsInstalled, "redis-server is not installed"))
struct RedisClusterTests {
    @Test("keys are on their servers, whether all servers or one are configured", arguments: [1, 3])
    func keys(seedCount: Int) async throws {
        let ports = freePorts(3)
        try await ServerScript.run("start-redis.sh", ["cluster"] + ports.map(String.init)) { _ in
            var configuration = RedisConfiguration.test()
            configuration.servers = ports.prefix(seedCount).map { RedisAddress(host: "127.0.0.1", port: $0) }
            let client = try RedisConnector(configuration)
            let tier = RedisTier(client: client)
            for number in 0..<100 {
                try await tier.store(
                    .text("\(number)"), for: SharedKey("\(number)", group: "t"), lifetime: .seconds(60))
            }
            for number in 0..<100 {
                #expect(try await tier.value(for: SharedKey("\(number)", group: "t")) == .text("\(number)"))
            }
            for port in ports {
                let one = try RedisConnector(.test(port))
                let count = try await one.execute(RedisCommand("DBSIZE")).integer()
                #expect(count > 10)
                await one.shutDown()
            }
            #expect(try await tier.removeAll(inGroup: "t") == 100)
            await client.shutDown()
        }
    }

    @Test("a slot that is being moved, and one that was moved, are found")
    func moving() async throws {
        let ports = freePorts(3)
        try await ServerScript.run("start-redis.sh", ["cluster"] + ports.map(String.init)) { _ in
            let client = try RedisConnector(.test(ports[0], ports[1], ports[2]))
            _ = try await client.execute(RedisCommand("SET", "foo", "1", key: "foo"))
            var servers: [Int: (client: RedisConnector, name: String)] = [:]
            for port in ports {
                let one = try RedisConnector(.test(port))
                servers[port] = (one, try await one.execute(RedisCommand("CLUSTER", "MYID")).text ?? "")
            }
            let slots = try await client.execute(RedisCommand("CLUSTER", "SLOTS"))
            let map = try #require(SlotMap(slots, from: RedisAddress(host: "127.0.0.1", port: ports[0])))
            let from = try #require(map[SlotMap.slot(of: "foo")]).port
            let to = try #require(ports.first { $0 != from })
            let (source, destination) = (try #require(servers[from]), try #require(servers[to]))
            let slot = "\(SlotMap.slot(of: "foo"))"
            _ = try await destination.client.execute(RedisCommand("CLUSTER", "SETSLOT", slot, "IMPORTING", source.name))
            _ = try await source.client.execute(RedisCommand("CLUSTER", "SETSLOT", slot, "MIGRATING", destination.name))
            _ = try await source.client.execute(
                RedisCommand("MIGRATE", "127.0.0.1", "\(to)", "foo", "0", "1000"))
            // ASK, since the key has been moved, and the slot has not.
            #expect(try await client.execute(RedisCommand("GET", "foo", key: "foo")).text == "1")
            for server in [destination, source] {
                _ = try await server.client.execute(RedisCommand("CLUSTER", "SETSLOT", slot, "NODE", destination.name))
            }
            // MOVED.
            #expect(try await client.execute(RedisCommand("GET", "foo", key: "foo")).text == "1")
            for server in servers.values { await server.client.shutDown() }
            await client.shutDown()
        }
    }

    @Test("a dead server costs its own keys, and the others are served")
    func deadServer() async throws {
        let ports = freePorts(3)
        try await ServerScript.run("start-redis.sh", ["cluster"] + ports.map(String.init)) { servers in
            var configuration = RedisConfiguration.test(ports[0], ports[1], ports[2])
            configuration.commandLimit = .milliseconds(100)
            let tier = GuardedTier(RedisTier(client: try RedisConnector(configuration)), .redis)
            let keys = (0..<60).map { SharedKey("\($0)") }
            for key in keys {
                #expect(
                    await eventually {
                        try? await tier.store(.text("x"), for: key, lifetime: .seconds(60))
                        return await tier.value(for: key) != nil
                    })
            }
            servers.signal(SIGSTOP, at: ports[2])
            #expect(
                await eventually {
                    var count = 0
                    for key in keys where await tier.value(for: key) != nil { count += 1 }
                    // The breaker of the tier may be open for a moment, until one server has answered a ping.
                    return count > 20 && count < 60
                })
            servers.signal(SIGCONT, at: ports[2])
            #expect(
                await eventually(within: .seconds(20)) {
                    for key in keys where await tier.value(for: key) == nil { return false }
                    return true
                })
            await tier.shutDown()
        }
    }
}

@Suite("Redis sentinel", .enabled(if: redisIsInstalled, "redis-server is not installed"))
struct RedisSentinelTests {
    @Test("the master is used, and after it was killed the promoted replica")
    func failover() async throws {
        let ports = freePorts(3)
        try await ServerScript.run("start-redis.sh", ["sentinel"] + ports.map(String.init)) { servers in
            var configuration = RedisConfiguration.test(ports[2])
            configuration.sentinelMaster = "images"
            let client = try RedisConnector(configuration)
            let tier = RedisTier(client: client)
            try await tier.store(.text("x"), for: SharedKey("a"), lifetime: .seconds(600))
            servers.signal(SIGKILL, at: ports[0])
            #expect(
                await eventually(within: .seconds(30)) {
                    try? await tier.store(.text("y"), for: SharedKey("b"), lifetime: .seconds(600))
                    return (try? await tier.value(for: SharedKey("b"))) == .text("y")
                })
            await client.shutDown()
        }
    }
}
#endif
