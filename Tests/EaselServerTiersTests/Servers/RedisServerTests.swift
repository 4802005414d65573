#if Server
import EaselTesting
import Foundation
import Testing

@testable import EaselServerTiers

#if canImport(Glibc)
import Glibc
#endif

private let redisIsInstalled = ServerScript.areInstalled("redis-server", "redis-cli")

extension RedisConfiguration {
    /// Limits that hold on a machine that is busy with other tests.
    fileprivate static func test(_ ports: Int...) -> RedisConfiguration {
        var configuration = RedisConfiguration(servers: ports.map { RedisAddress(host: "127.0.0.1", port: $0) })
        configuration.commandLimit = .seconds(1)
        configuration.connectLimit = .seconds(2)
        return configuration
    }
}

@Suite("Redis", .enabled(if: redisIsInstalled, "redis-server is not installed"))
struct RedisServerTests {
    private let key = SharedKey("a")

    private func withServer(
        _ options: [String] = [], _ body: (Int, ServerScript) async throws -> Void
    ) async throws {
        let port = try freePorts(1)[0]
        try await ServerScript.run("start-redis.sh", ["single", "\(port)"] + options) { try await body(port, $0) }
    }

    @Test("values are stored, found, replaced and removed")
    func values() async throws {
        try await withServer { port, _ in
            let tier = RedisTier(client: try RedisConnector(.test(port)))
            #expect(try await tier.value(for: key) == nil)
            try await tier.store(.text("x"), for: key, lifetime: .seconds(60), tags: [])
            #expect(try await tier.value(for: key) == .text("x"))
            try await tier.store(.text("y"), for: key, lifetime: .seconds(60), tags: [])
            #expect(try await tier.value(for: key) == .text("y"))
            try await tier.remove([key, SharedKey("b")])
            #expect(try await tier.value(for: key) == nil)
            await tier.shutDown()
            await #expect(throws: TierError.shutDown) { try await tier.value(for: key) }
        }
    }

    @Test("a value of 1 MB is stored, and a larger one is not")
    func size() async throws {
        try await withServer { port, _ in
            let tier = RedisTier(client: try RedisConnector(.test(port)))
            var value = SharedValue.text("")
            value.bytes = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            try await tier.store(value, for: key, lifetime: .seconds(60), tags: [])
            #expect(try await tier.value(for: key) == value)
            value.bytes.append(0)
            try await tier.store(value, for: SharedKey("b"), lifetime: .seconds(60), tags: [])
            #expect(try await tier.value(for: SharedKey("b")) == nil)
            await tier.shutDown()
        }
    }

    @Test("a value is gone after its lifetime, on the server too")
    func lifetime() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let tier = RedisTier(client: client)
            try await tier.store(.text("x"), for: key, lifetime: .milliseconds(100), tags: [])
            #expect(await eventually { (try? await client.execute(RedisCommand("DBSIZE"))) == .integer(0) })
            try await tier.store(.text("x"), for: key, lifetime: .zero, tags: [])
            #expect(try await tier.value(for: key) == nil)
            await tier.shutDown()
        }
    }

    @Test("a tag removes its values, and no others")
    func tags() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let tier = RedisTier(client: client)
            for number in 0..<1200 {
                let tags = number.isMultiple(of: 2) ? ["even", "all"] : ["all"]
                try await tier.store(
                    .text("\(number)"), for: SharedKey("\(number)"), lifetime: .seconds(60), tags: tags)
            }
            #expect(try await tier.removeAll(taggedWith: "even") == 600)
            #expect(try await tier.value(for: SharedKey("2")) == nil)
            #expect(try await tier.value(for: SharedKey("3")) == .text("3"))
            #expect(try await tier.removeAll(taggedWith: "all") == 600)
            #expect(try await tier.removeAll(taggedWith: "all") == 0)
            #expect(try await client.execute(RedisCommand("DBSIZE")) == .integer(0))
            await tier.shutDown()
        }
    }

    @Test("something else under the key of a value is not a value")
    func foreign() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let tier = RedisTier(client: client)
            _ = try await client.execute(RedisCommand("SET", "easel:1:value:\(key.digest)", "hello"))
            #expect(try await tier.value(for: key) == nil)
            _ = try await client.execute(RedisCommand("DEL", "easel:1:value:\(key.digest)"))
            _ = try await client.execute(RedisCommand("LPUSH", "easel:1:value:\(key.digest)", "hello"))
            await #expect(throws: TierError.self) { try await tier.value(for: key) }
            await tier.shutDown()
        }
    }

    @Test("many calls at once share a few connections, and each gets its own reply")
    func pipelining() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let replies = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let text = RedisReply.bytes(Data("\(number)".utf8))
                        return (try? await client.execute([RedisCommand("ECHO", "\(number)"), .ping])) == [
                            text, .status("PONG"),
                        ]
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(replies == 200)
            let clients = try await client.execute(RedisCommand("CLIENT", "LIST")).text ?? ""
            #expect(clients.split(separator: "\n").count <= 4)
            await client.shutDown()
        }
    }

    @Test("a stopped server costs the limit, then nothing, and is used again after it continues")
    func stopped() async throws {
        try await withServer { port, servers in
            var configuration = RedisConfiguration.test(port)
            configuration.commandLimit = .milliseconds(50)
            let tier = GuardedTier(RedisTier(client: try RedisConnector(configuration)), .redis)
            #expect(
                await eventually {
                    await tier.store(.text("x"), for: key, lifetime: .seconds(60), tags: [])
                    return await tier.value(for: key) != nil
                })
            servers.signal(SIGSTOP, at: port)
            let started = ContinuousClock.now
            for _ in 0..<50 { #expect(await tier.value(for: key) == nil) }
            // Five calls to the limit, and others without a call.
            #expect(ContinuousClock.now - started < .seconds(3))
            #expect(tier.statistics.isOpen)
            servers.signal(SIGCONT, at: port)
            #expect(await eventually { await tier.value(for: key) == .text("x") })
            #expect(!tier.statistics.isOpen)
            await tier.shutDown()
        }
    }

    @Test("a killed server is unreachable at once, and used again after a restart")
    func killed() async throws {
        let port = try freePorts(1)[0]
        let client = try RedisConnector(.test(port))
        let tier = GuardedTier(RedisTier(client: client), .redis)
        try await ServerScript.run("start-redis.sh", ["single", "\(port)"]) { servers in
            try await client.ping()
            servers.signal(SIGKILL, at: port)
            let started = ContinuousClock.now
            for _ in 0..<100 { #expect(await tier.value(for: key) == nil) }
            #expect(ContinuousClock.now - started < .seconds(3))
            #expect(await eventually { tier.statistics.isOpen })
        }
        try await ServerScript.run("start-redis.sh", ["single", "\(port)"]) { _ in
            #expect(await eventually { !tier.statistics.isOpen })
            #expect(
                await eventually {
                    await tier.store(.text("x"), for: key, lifetime: .seconds(60), tags: [])
                    return await tier.value(for: key) == .text("x")
                })
        }
        await tier.shutDown()
    }

    @Test("a password and a database are used, and a wrong password is an error")
    func credentials() async throws {
        try await withServer(["--requirepass", "secret"]) { port, _ in
            var configuration = RedisConfiguration.test(port)
            configuration.password = "secret"
            configuration.database = 3
            let client = try RedisConnector(configuration)
            let information = try await client.execute(RedisCommand("CLIENT", "INFO")).text ?? ""
            #expect(information.contains(" db=3 "))
            await client.shutDown()
            for password in ["wrong", nil] {
                configuration.password = password
                let other = try RedisConnector(configuration)
                await #expect { try await other.ping() } throws: { ($0 as? TierError)?.code == .unauthorized }
                await other.shutDown()
            }
        }
    }

    @Test("a lease has one holder, and only that one renews and ends it")
    func leases() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let leases = RedisLeases(client: client)
            let lease = try #require(try await leases.acquire(key, for: .seconds(60)))
            #expect(try await leases.acquire(key, for: .seconds(60)) == nil)
            let other = Lease(key: key, token: "other", duration: .seconds(60))
            #expect(try await leases.renew(lease))
            #expect(try await leases.renew(other) == false)
            try await leases.release(other)
            #expect(try await leases.acquire(key, for: .seconds(60)) == nil)
            try await leases.release(lease)
            #expect(try await leases.renew(lease) == false)
            #expect(try await leases.acquire(key, for: .milliseconds(50)) != nil)
            #expect(await eventually { (try? await leases.acquire(key, for: .seconds(60))) != nil })
            await client.shutDown()
        }
    }

    @Test("a node that died with the lease delays another one by the expiry, and no longer")
    func deadHolder() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let leases = RedisLeases(client: client)
            _ = try #require(try await leases.acquire(key, for: .milliseconds(300)))
            let flight = SharedFlight(leases: leases)
            let started = ContinuousClock.now
            let value = try await flight.run(
                key, lookUp: { nil }, produce: { () async throws(CancellationError) in .text("x") }, store: { _ in })
            #expect(value == .text("x") && flight.statistics.led == 1)
            #expect(ContinuousClock.now - started < .seconds(3))
            await client.shutDown()
        }
    }

    @Test("a lease is lost when the server loses its data")
    func flushed() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let leases = RedisLeases(client: client)
            let lease = try #require(try await leases.acquire(key, for: .seconds(60)))
            _ = try await client.execute(RedisCommand("FLUSHALL"))
            #expect(try await leases.renew(lease) == false)
            let next = try #require(try await leases.acquire(key, for: .seconds(60)))
            try await leases.release(lease)
            #expect(try await leases.renew(next))
            await client.shutDown()
        }
    }

    @Test("of many nodes, one makes a result")
    func singleFlight() async throws {
        try await withServer { port, _ in
            let produced = Monitor(0)
            let values = try await withThrowingTaskGroup(of: SharedValue.self) { group in
                for _ in 0..<8 {
                    // Each node has its own connections.
                    let client = try RedisConnector(.test(port))
                    let tier = RedisTier(client: client)
                    let flight = SharedFlight(leases: RedisLeases(client: client))
                    group.addTask { [key] in
                        let value = try await flight.run(
                            key, lookUp: { try? await tier.value(for: key) },
                            produce: { () async throws(CancellationError) in
                                produced.update { $0 += 1 }
                                try? await Task.sleep(for: .milliseconds(50))
                                return .text("x")
                            },
                            store: { _ = try? await tier.store($0, for: key, lifetime: .seconds(60), tags: []) })
                        await tier.shutDown()
                        return value
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(values == Array(repeating: .text("x"), count: 8))
            #expect(produced.state == 1)
        }
    }
}

@Suite(
    "Redis with TLS",
    .enabled(if: redisIsInstalled && ServerScript.areInstalled("openssl"), "redis-server or openssl is not installed"))
struct RedisTLSTests {
    @Test("a server with a trusted certificate is used, and one with another certificate is not")
    func certificates() async throws {
        let port = try freePorts(1)[0]
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
                try await tier.store(.text("x"), for: SharedKey("a"), lifetime: .seconds(60), tags: ["t"])
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
        let ports = try freePorts(3)
        try await ServerScript.run("start-redis.sh", ["cluster"] + ports.map(String.init)) { _ in
            var configuration = RedisConfiguration.test()
            configuration.servers = ports.prefix(seedCount).map { RedisAddress(host: "127.0.0.1", port: $0) }
            let client = try RedisConnector(configuration)
            let tier = RedisTier(client: client)
            for number in 0..<100 {
                try await tier.store(
                    .text("\(number)"), for: SharedKey("\(number)"), lifetime: .seconds(60), tags: ["t"])
            }
            for number in 0..<100 { #expect(try await tier.value(for: SharedKey("\(number)")) == .text("\(number)")) }
            for port in ports {
                let one = try RedisConnector(.test(port))
                let count = try await one.execute(RedisCommand("DBSIZE")).integer()
                #expect(count > 10)
                await one.shutDown()
            }
            #expect(try await tier.removeAll(taggedWith: "t") == 100)
            await client.shutDown()
        }
    }

    @Test("a slot that is being moved, and one that was moved, are found")
    func moving() async throws {
        let ports = try freePorts(3)
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
        let ports = try freePorts(3)
        try await ServerScript.run("start-redis.sh", ["cluster"] + ports.map(String.init)) { servers in
            var configuration = RedisConfiguration.test(ports[0], ports[1], ports[2])
            configuration.commandLimit = .milliseconds(100)
            let tier = GuardedTier(RedisTier(client: try RedisConnector(configuration)), .redis)
            let keys = (0..<60).map { SharedKey("\($0)") }
            for key in keys {
                #expect(
                    await eventually {
                        await tier.store(.text("x"), for: key, lifetime: .seconds(60), tags: [])
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
        let ports = try freePorts(3)
        try await ServerScript.run("start-redis.sh", ["sentinel"] + ports.map(String.init)) { servers in
            var configuration = RedisConfiguration.test(ports[2])
            configuration.sentinelMaster = "images"
            let client = try RedisConnector(configuration)
            let tier = RedisTier(client: client)
            try await tier.store(.text("x"), for: SharedKey("a"), lifetime: .seconds(600), tags: [])
            servers.signal(SIGKILL, at: ports[0])
            #expect(
                await eventually(within: .seconds(30)) {
                    try? await tier.store(.text("y"), for: SharedKey("b"), lifetime: .seconds(600), tags: [])
                    return (try? await tier.value(for: SharedKey("b"))) == .text("y")
                })
            await client.shutDown()
        }
    }
}
#endif
