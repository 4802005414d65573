#if Server
import Foundation
import Testing

@testable import EaselServerTiers

@Suite("Slots of a cluster")
struct SlotMapTests {
    private let source = RedisAddress(host: "seed", port: 7000)

    private func range(_ first: Int, _ last: Int, _ host: String?, _ port: Int) -> RedisReply {
        let name = host.map { RedisReply.bytes(Data($0.utf8)) } ?? .null
        return .array([
            .integer(first), .integer(last), .array([name, .integer(port), .bytes(Data("id".utf8)), .array([])]),
            .array([.bytes(Data("replica".utf8)), .integer(1)]),
        ])
    }

    @Test("the checksum is that of the specification")
    func checksum() { #expect(SlotMap.crc16("123456789".utf8) == 0x31C3) }

    @Test("only the part between braces counts, if there is one")
    func tags() {
        #expect(SlotMap.slot(of: "foo") == 12_182)
        #expect(SlotMap.slot(of: "{user1000}.following") == SlotMap.slot(of: "user1000"))
        #expect(SlotMap.slot(of: "foo{}{bar}") != SlotMap.slot(of: "bar"))
        #expect(SlotMap.slot(of: "foo{{bar}}zap") == SlotMap.slot(of: "{bar"))
        #expect(SlotMap.slot(of: "") == 0)
    }

    @Test("a reply of CLUSTER SLOTS assigns ranges to masters")
    func slots() throws {
        let reply = RedisReply.array([range(0, 100, "a", 1), range(101, 16_383, "b", 2), range(200, 300, "a", 1)])
        let map = try #require(SlotMap(reply, from: source))
        #expect(map.servers == [RedisAddress(host: "a", port: 1), RedisAddress(host: "b", port: 2)])
        #expect(map[100]?.host == "a" && map[101]?.host == "b" && map[250]?.host == "a")
        #expect(map[16_384] == nil && map[-1] == nil)
    }

    @Test("a server that does not state its host has that of the connection")
    func unknownHost() throws {
        let map = try #require(SlotMap(.array([range(0, 5, nil, 1), range(6, 7, "", 2)]), from: source))
        #expect(map.servers == [RedisAddress(host: "seed", port: 1), RedisAddress(host: "seed", port: 2)])
        #expect(map[8] == nil)
    }

    @Test("other replies are refused")
    func refused() {
        for reply: RedisReply in [
            .null, .array([]), .array([.integer(1)]), .array([range(5, 4, "a", 1)]), .array([range(0, 16_384, "a", 1)]),
            .array([range(-1, 5, "a", 1)]), .array([range(0, 5, "a", 0)]),
        ] {
            #expect(SlotMap(reply, from: source) == nil)
        }
    }

    @Test("redirections are read")
    func redirections() throws {
        let moved = try #require(Redirection(.error("MOVED 3999 127.0.0.1:6381"), from: source))
        #expect(moved.slot == 3999 && !moved.isTemporary && moved.server == RedisAddress(host: "127.0.0.1", port: 6381))
        let ask = try #require(Redirection(.error("ASK 1 :7001"), from: source))
        #expect(ask.isTemporary && ask.server == RedisAddress(host: "seed", port: 7001))
        #expect(Redirection(.error("MOVED 1 ::1:7001"), from: source)?.server.host == "::1")
        for text in ["MOVED", "MOVED x a:1", "MOVED 16384 a:1", "MOVED 1 a", "MOVED 1 a:0", "ERR 1 a:1"] {
            #expect(Redirection(.error(text), from: source) == nil)
        }
        #expect(Redirection(.status("MOVED 1 a:1"), from: source) == nil)
    }
}

@Suite("Topology of Redis")
struct RedisTopologyTests {
    private let a = RedisAddress(host: "a"), b = RedisAddress(host: "b")

    @Test("a single server has all keys, without a discovery")
    func single() {
        var topology = RedisTopology(RedisConfiguration(servers: [a]))
        #expect(topology.server(for: "x") == a && topology.server(for: nil) == a)
        #expect(topology.recordFailure(at: .zero) == false)
    }

    @Test("a single server that redirects belongs to a cluster")
    func becomesCluster() throws {
        var topology = RedisTopology(RedisConfiguration(servers: [a]))
        let slot = SlotMap.slot(of: "x")
        let moved = try #require(Redirection(.error("MOVED \(slot) b:6379"), from: a))
        #expect(topology.record(moved, at: .zero) == true)
        #expect(topology.server(for: "x") == b)
        #expect(topology.method == .cluster)
        #expect(topology.record(moved, at: .milliseconds(999)) == false)
        #expect(topology.record(moved, at: .seconds(1)) == true)
    }

    @Test("a temporary redirection changes nothing")
    func temporary() throws {
        var topology = RedisTopology(RedisConfiguration(servers: [a]))
        let ask = try #require(Redirection(.error("ASK 1 b:6379"), from: a))
        #expect(topology.record(ask, at: .zero) == false)
        #expect(topology.layout == .single(a))
    }

    @Test("several servers and sentinels need a discovery")
    func unknown() {
        #expect(RedisTopology(RedisConfiguration(servers: [a, b])).layout == nil)
        var configuration = RedisConfiguration(servers: [a])
        configuration.sentinelMaster = "m"
        #expect(RedisTopology(configuration).layout == nil)
    }

    @Test("a discovery uses the next server if one fails")
    func discovery() async throws {
        let discovery = RedisDiscovery(method: .cluster, sources: [a, b])
        let layout = try await discovery.run { (address, _) async throws(TierError) in
            if address.host == "a" { throw TierError(.unreachable, "") }
            return .array([
                .array([.integer(0), .integer(16_383), .array([.bytes(Data("c".utf8)), .integer(9)])])
            ])
        }
        guard case .cluster(let map) = layout else { throw TierError(.invalidReply, "") }
        #expect(map.servers == [RedisAddress(host: "c", port: 9)])
    }

    @Test("several servers without a cluster are used as one")
    func noCluster() async throws {
        let layout = try await RedisDiscovery(method: .cluster, sources: [a, b]).run { (_, _) async throws(TierError) in
            .error("ERR This instance has cluster support disabled")
        }
        #expect(layout == .single(a))
    }

    @Test("sentinels name the master, and one without an answer is skipped")
    func sentinel() async throws {
        let layout = try await RedisDiscovery(method: .sentinel("m"), sources: [a, b]).run {
            (address, command) async throws(TierError) in
            #expect(command.arguments.last == Data("m".utf8))
            return address.host == "a" ? .null : .array([.bytes(Data("c".utf8)), .bytes(Data("7".utf8))])
        }
        #expect(layout == .single(RedisAddress(host: "c", port: 7)))
    }

    @Test("a discovery without an answer throws the last error")
    func discoveryFails() async {
        await #expect(throws: TierError(.timedOut, "b")) {
            try await RedisDiscovery(method: .cluster, sources: [a, b]).run { (address, _) async throws(TierError) in
                throw TierError(.timedOut, address.host)
            }
        }
    }
}

@Suite("Configuration of Redis")
struct RedisConfigurationTests {
    @Test("a URL names a server, credentials and a database")
    func url() throws {
        let configuration = try RedisConfiguration(url: "redis://us%40er:p%3Ass:x@example.com:7000/3")
        #expect(configuration.servers == [RedisAddress(host: "example.com", port: 7000)])
        #expect(configuration.user == "us@er" && configuration.password == "p:ss:x" && configuration.database == 3)
        #expect(configuration.security == nil)
    }

    @Test("the default port is 6379, and rediss uses TLS")
    func tls() throws {
        let configuration = try RedisConfiguration(url: "rediss://:secret@[::1]")
        #expect(configuration.servers == [RedisAddress(host: "::1", port: 6379)])
        #expect(configuration.user == nil && configuration.password == "secret" && configuration.security != nil)
    }

    @Test("several hosts are separated by commas")
    func cluster() throws {
        let configuration = try RedisConfiguration(url: "valkey://a:1,b,[::2]:3")
        #expect(configuration.servers.map(\.description) == ["a:1", "b:6379", "[::2]:3"])
    }

    @Test("sentinels have a master's name and their own port")
    func sentinel() throws {
        let configuration = try RedisConfiguration(url: "redis+sentinel://a,b:5/images/2")
        #expect(configuration.servers.map(\.description) == ["a:26379", "b:5"])
        #expect(configuration.sentinelMaster == "images" && configuration.database == 2)
    }

    @Test(
        "malformed URLs are refused",
        arguments: [
            "", "redis", "http://a", "redis://", "redis://a:0", "redis://a:x", "redis://a,,b", "redis://a/x",
            "redis://a/1/2", "redis://user@a", "redis://%zz:x@a", "redis+sentinel://a", "redis://[::1",
            "redis://a:70000",
        ])
    func malformed(url: String) {
        #expect(throws: TierError.self) { try RedisConfiguration(url: url) }
    }
}
#endif
