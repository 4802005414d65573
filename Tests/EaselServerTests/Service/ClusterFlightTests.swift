#if Server
import EaselCore
import EaselServerTiers
import EaselServerURLs
import Foundation
import Testing

@testable import EaselServer

struct ClusterFlightTests {
    /// Returns a result that becomes stale after a number of seconds, and may be used while it is made again.
    private func result(staleAfter seconds: Double) throws -> ImageResult {
        let fields = [
            "result-type": "image/png", "result-tag": "\"tag\"", "result-version": "1", "result-created": "0",
            "result-visibility": "everyone", "result-stale": "600",
            "result-fresh": "\(Int64((Date().timeIntervalSince1970 + seconds) * 1000))",
        ]
        let metadata = SharedValue.Metadata(contentType: "image/png", fields: fields)
        return try #require(ImageResult(SharedValue(bytes: Data("image".utf8), metadata: metadata)))
    }

    /// Refreshes a result while another one is in the shared tier. Returns where the new one is from.
    private func refresh(_ previous: ImageResult, shared: ImageResult) async throws -> ResultOrigin {
        var rules = URLRules()
        rules.allowsUnsigned = true
        let path = "/unsafe/w:4/plain/http://example.com/a.png"
        let url = try ImageURL(rawPath: path, rules: rules)
        let key = ResultKey(ParsedURL(path: path, url: url, usesHints: false, settings: ""), ResultVariant())
        let store = ResultStore(memoryBytes: 1 << 20, disk: nil, shared: [SingleValue(stored: shared.sharedValue)])
        let cluster = ClusterFlight(leases: FreeLeases())
        let made = try result(staleAfter: 600)
        let (_, origin) = try await cluster.run(key, replacing: previous, store: store) {
            () async throws(ServerError) in made
        }
        await cluster.finish()
        return origin
    }

    @Test func `The result that a refresh replaces is not its answer`() async throws {
        let shared = try result(staleAfter: -1)
        var previous = shared
        // Stored times are rounded.
        previous.lifetime.freshUntil.addTimeInterval(-0.0003)
        #expect(try await refresh(previous, shared: shared) == .made)
    }

    @Test func `A newer result of another server is the answer to a refresh`() async throws {
        let (previous, shared) = (try result(staleAfter: -2), try result(staleAfter: -1))
        #expect(try await refresh(previous, shared: shared) == .shared("cluster"))
    }
}

/// A tier with the same value for all keys.
private struct SingleValue: SharedTier {
    let name = "single"
    let stored: SharedValue

    func value(for key: SharedKey) async throws(TierError) -> SharedValue? { stored }
    func store(_ value: SharedValue, for key: SharedKey, lifetime: Duration) async throws(TierError) {}
    func removeAll(inGroup group: String) async throws(TierError) -> Int { 0 }
    func ping() async throws(TierError) {}
    func shutDown() async {}
}

/// Leases that no other server holds.
private struct FreeLeases: LeaseProvider {
    func acquire(_ key: SharedKey, for duration: Duration) async throws(TierError) -> Lease? {
        Lease(key: key, token: "token", duration: duration)
    }

    func renew(_ lease: Lease) async throws(TierError) -> Bool { true }
    func release(_ lease: Lease) async throws(TierError) {}
}
#endif
