#if Server
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServerTiers

@Suite("Redis", .enabled(if: redisIsInstalled, "redis-server is not installed"))
struct RedisServerTests {
    private let key = SharedKey("a")

    private func withServer(
        _ options: [String] = [], _ body: (Int, ServerScript) async throws -> Void
    ) async throws {
        let port = freePorts(1)[0]
        try await ServerScript.run("start-redis.sh", ["single", "\(port)"] + options) { try await body(port, $0) }
    }

    @Test("values are stored, found, replaced and removed")
    func values() async throws {
        try await withServer { port, _ in
            let tier = RedisTier(client: try RedisConnector(.test(port)))
            #expect(try await tier.value(for: key) == nil)
            try await tier.store(.text("x"), for: key, lifetime: .seconds(60))
            #expect(try await tier.value(for: key) == .text("x"))
            try await tier.store(.text("y"), for: key, lifetime: .seconds(60))
            #expect(try await tier.value(for: key) == .text("y"))
            #expect(try await tier.removeAll(inGroup: "") == 1)
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
            try await tier.store(value, for: key, lifetime: .seconds(60))
            #expect(try await tier.value(for: key) == value)
            value.bytes.append(0)
            try await tier.store(value, for: SharedKey("b"), lifetime: .seconds(60))
            #expect(try await tier.value(for: SharedKey("b")) == nil)
            await tier.shutDown()
        }
    }

    @Test("a value is gone after its lifetime, on the server too")
    func lifetime() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let tier = RedisTier(client: client)
            try await tier.store(.text("x"), for: key, lifetime: .milliseconds(100))
            let name = "easel:1:value:\(key.digest)"
            #expect(await eventually { (try? await client.execute(RedisCommand("EXISTS", name))) == .integer(0) })
            try await tier.store(.text("x"), for: key, lifetime: .zero)
            #expect(try await tier.value(for: key) == nil)
            await tier.shutDown()
        }
    }

    @Test("a group is removed with its values, and no others")
    func groups() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let tier = RedisTier(client: client)
            for number in 0..<1200 {
                let key = SharedKey("\(number)", group: number.isMultiple(of: 2) ? "even" : "odd")
                try await tier.store(
                    .text("\(number)"), for: key, lifetime: .seconds(60))
            }
            #expect(try await tier.removeAll(inGroup: "even") == 600)
            #expect(try await tier.value(for: SharedKey("2", group: "even")) == nil)
            #expect(try await tier.value(for: SharedKey("3", group: "odd")) == .text("3"))
            #expect(try await tier.removeAll(inGroup: "odd") == 600)
            #expect(try await tier.removeAll(inGroup: "odd") == 0)
            #expect(try await client.execute(RedisCommand("DBSIZE")) == .integer(0))
            await tier.shutDown()
        }
    }

    @Test("a group does not keep expired values")
    func groupSize() async throws {
        try await withServer { port, _ in
            let client = try RedisConnector(.test(port))
            let key = SharedKey("a", group: "group")
            try await RedisTier(client: client).store(.text("x"), for: key, lifetime: .seconds(60))
            let later = RedisTier(client: client, RedisTier.Configuration(), now: { Date() + 61 })
            try await later.store(.text("y"), for: SharedKey("b", group: "group"), lifetime: .seconds(60))
            let count = try await client.execute(RedisCommand("ZCARD", "easel:2:group:\(key.groupDigest)"))
            #expect(count == .integer(1))
            await client.shutDown()
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
                    try? await tier.store(.text("x"), for: key, lifetime: .seconds(60))
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
        let port = freePorts(1)[0]
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
                    try? await tier.store(.text("x"), for: key, lifetime: .seconds(60))
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
                key, lookUp: { _ in nil }, produce: { () async throws(CancellationError) in .text("x") },
                store: { _ in })
            await flight.finish()
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
            let (produced, lookUps) = (Monitor(0), Monitor(0))
            let values = try await withThrowingTaskGroup(of: SharedValue.self) { group in
                for _ in 0..<8 {
                    // Each node has its own connections.
                    let client = try RedisConnector(.test(port))
                    let tier = RedisTier(client: client)
                    let flight = SharedFlight(leases: RedisLeases(client: client))
                    group.addTask { [key] in
                        let value = try await flight.run(
                            key,
                            lookUp: { _ in
                                lookUps.update { $0 += 1 }
                                return try? await tier.value(for: key)
                            },
                            produce: { () async throws(CancellationError) in
                                produced.update { $0 += 1 }
                                // The other nodes look for the result, and wait for it.
                                try? await until { lookUps.state >= 7 }
                                return .text("x")
                            },
                            store: { _ = try? await tier.store($0, for: key, lifetime: .seconds(60)) })
                        await flight.finish()
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
#endif
