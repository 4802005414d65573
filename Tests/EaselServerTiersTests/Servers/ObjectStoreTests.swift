#if Server
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServerTiers

/// An object store that all tests share, because it takes eight seconds to start. It ends with this process.
private actor ObjectStore {
    static let shared = ObjectStore()
    static let isInstalled = ServerScript.areInstalled(
        "swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server", "memcached")

    private var start: Task<S3Endpoint, any Error>?
    private var servers: ServerScript?

    /// Returns the endpoint after a bucket was created in it.
    func endpoint(withBucket bucket: String) async throws -> S3Endpoint {
        let start = self.start ?? Task { try await startServers() }
        self.start = start
        let endpoint = try await start.value
        let client = S3Client(endpoint: endpoint, bucket: bucket, transport: CurlTransport())
        _ = try await client.send("PUT", "")
        return endpoint
    }

    private func startServers() async throws -> S3Endpoint {
        let port = freePortRange(5)
        servers = try await ServerScript("start-object-store.sh", ["\(port)"])
        return S3Endpoint(
            url: "http://127.0.0.1:\(port)", credentials: S3Credentials(accessKey: "test:tester", secretKey: "testing"))
    }
}

@Suite(
    "Object store", .serialized,
    .enabled(if: ObjectStore.isInstalled, "OpenStack Swift or memcached is not installed"))
struct ObjectStoreTests {
    private let key = SharedKey("a")
    private let bucket = "bucket-\(UUID().uuidString.lowercased())"

    private func configuration() async throws -> S3Tier.Configuration {
        S3Tier.Configuration(
            endpoint: try await ObjectStore.shared.endpoint(withBucket: bucket), bucket: bucket, prefix: "re sults/ü")
    }

    @Test("values are stored with their metadata, found, replaced and removed")
    func values() async throws {
        let tier = try S3Tier(await configuration())
        try await tier.ping()
        #expect(try await tier.value(for: key) == nil)
        var value = SharedValue.text("x")
        // Longer than a single field of OpenStack Swift may be.
        value.metadata.fields = ["a": "ü", "b": String(repeating: "x", count: 1100)]
        try await tier.store(value, for: key, lifetime: .seconds(60))
        #expect(try await tier.value(for: key) == value)
        value.bytes = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try await tier.store(value, for: key, lifetime: .seconds(60))
        #expect(try await tier.value(for: key) == value)
        #expect(try await tier.removeAll(inGroup: "") == 1)
        #expect(try await tier.value(for: key) == nil)
        await tier.shutDown()
    }

    @Test("an object has the content type of its image")
    func contentType() async throws {
        let configuration = try await configuration()
        let tier = try S3Tier(configuration)
        try await tier.store(.text("x"), for: key, lifetime: .seconds(60))
        let client = S3Client(endpoint: configuration.endpoint, bucket: bucket, transport: CurlTransport())
        let listing = S3Listing(try await client.send("GET", "", query: [.init(name: "list-type", value: "2")]).body)
        let response = try await client.send("GET", try #require(listing.keys.first))
        #expect(response.headers["Content-Type"] == "text/plain")
        #expect(response.body == Data("x".utf8))
        await tier.shutDown()
    }

    @Test("a value is not returned after its lifetime")
    func lifetime() async throws {
        let configuration = try await configuration()
        let tier = try S3Tier(configuration)
        try await tier.store(.text("x"), for: key, lifetime: .seconds(60))
        let later = try S3Tier(configuration, transport: CurlTransport(), now: { Date() + 61 })
        #expect(try await later.value(for: key) == nil)
        await tier.shutDown()
        await later.shutDown()
    }

    @Test("a group is removed with its values, and no others")
    func groups() async throws {
        let tier = try S3Tier(await configuration())
        for number in 0..<12 {
            let key = SharedKey("\(number)", group: number.isMultiple(of: 2) ? "even" : "odd")
            try await tier.store(.text("\(number)"), for: key, lifetime: .seconds(60))
        }
        #expect(try await tier.removeAll(inGroup: "even") == 6)
        #expect(try await tier.value(for: SharedKey("2", group: "even")) == nil)
        #expect(try await tier.value(for: SharedKey("3", group: "odd")) == .text("3"))
        _ = try await tier.removeAll(inGroup: "odd")
        #expect(try await tier.value(for: SharedKey("3", group: "odd")) == nil)
        await tier.shutDown()
    }

    @Test("a wrong secret is an error, and so is a missing bucket")
    func refused() async throws {
        var configuration = try await configuration()
        configuration.endpoint.credentials.secretKey = "wrong"
        let tier = try S3Tier(configuration)
        await #expect { try await tier.value(for: key) } throws: { ($0 as? TierError)?.code == .unauthorized }
        await #expect { try await tier.ping() } throws: { ($0 as? TierError)?.code == .unauthorized }
        await tier.shutDown()
        var missing = try await self.configuration()
        missing.bucket = "missing-\(UUID().uuidString.lowercased())"
        let other = try S3Tier(missing)
        await #expect(throws: TierError.self) {
            try await other.store(.text("x"), for: key, lifetime: .seconds(60))
        }
        await other.shutDown()
    }

    @Test("a store that is gone is unreachable within the limit of the guard")
    func gone() async throws {
        let endpoint = S3Endpoint(
            url: "http://127.0.0.1:\(freePorts(1)[0])", credentials: S3Credentials(accessKey: "a", secretKey: "b"))
        let tier = GuardedTier(try S3Tier(.init(endpoint: endpoint, bucket: "b")), .objectStore)
        let started = ContinuousClock.now
        for _ in 0..<20 { #expect(await tier.value(for: key) == nil) }
        #expect(ContinuousClock.now - started < .seconds(5))
        #expect(tier.statistics.isOpen)
        await tier.shutDown()
    }

    @Test("a source is loaded from a bucket, also with special characters in its key")
    func loader() async throws {
        let endpoint = try await configuration().endpoint
        let client = S3Client(endpoint: endpoint, bucket: bucket, transport: CurlTransport())
        for (name, url) in [("a b/ü+&=%.png", "a%20b/%C3%BC+&=%25.png"), ("plain.png", "plain.png")] {
            _ = try await client.send("PUT", name, body: Array("image of \(name)".utf8))
            let loader = S3Loader(endpoint: endpoint, transport: CurlTransport())
            let request = ImageRequest(try #require(URL(string: "s3://\(bucket)/\(url)")))
            #expect(loader.canLoad(request))
            let loaded = try await loader.load(request, LoadContext())
            #expect(loaded.data == Data("image of \(name)".utf8))
        }
        let loader = S3Loader(endpoint: endpoint, transport: CurlTransport())
        let missing = ImageRequest(try #require(URL(string: "s3://\(bucket)/missing.png")))
        await #expect { try await loader.load(missing, LoadContext()) } throws: { ($0 as? ImageError)?.status == 404 }
    }
}

@Suite("Slow object store")
struct SlowObjectStoreTests {
    @Test("lookups end at their limit, then none is made, and the store is used again after it answers")
    func slow() async throws {
        let gate = Gate()
        let key = SharedKey("a")
        let origin = try await OriginServer.start {
            $0.respond("/b/v1/\(key.groupDigest)/\(key.digest)", with: .status(404), faults: [.hold(gate)])
            // The list that is the ping.
            $0.respond("/b", with: .text("<ListBucketResult/>"), faults: [.hold(gate)])
        }
        let endpoint = S3Endpoint(
            url: "http://127.0.0.1:\(origin.port)", credentials: S3Credentials(accessKey: "a", secretKey: "b"))
        var configuration = GuardedTier.Configuration.objectStore
        configuration.lookupLimit = .milliseconds(50)
        let tier = GuardedTier(try S3Tier(.init(endpoint: endpoint, bucket: "b")), configuration)
        let started = ContinuousClock.now
        for _ in 0..<100 { #expect(await tier.value(for: key) == nil) }
        #expect(ContinuousClock.now - started < .seconds(5))
        #expect(tier.statistics.isOpen && tier.statistics.timeouts == 5 && tier.statistics.skipped == 95)
        gate.open()
        #expect(await eventually { !tier.statistics.isOpen })
        #expect(
            await eventually {
                _ = await tier.value(for: key)
                return tier.statistics.misses > 0
            })
        await tier.shutDown()
        await origin.stop()
    }

    @Test("a store that answers with errors of its own is left out", arguments: [500, 503, 429])
    func failing(status: Int) async throws {
        let key = SharedKey("a")
        let origin = try await OriginServer.start {
            $0.respond("/b/v1/\(key.groupDigest)/\(key.digest)", with: .status(status))
        }
        let endpoint = S3Endpoint(
            url: "http://127.0.0.1:\(origin.port)", credentials: S3Credentials(accessKey: "a", secretKey: "b"))
        let tier = GuardedTier(try S3Tier(.init(endpoint: endpoint, bucket: "b")), .objectStore)
        for _ in 0..<10 { #expect(await tier.value(for: key) == nil) }
        #expect(tier.statistics.failures == 5 && tier.statistics.isOpen)
        await tier.shutDown()
        await origin.stop()
    }
}
#endif
