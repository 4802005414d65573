#if Server
import EaselFoundation
import EaselServerTiers
import Synchronization

/// Makes each result once for all servers that share leases. A server without the lease waits for the result of
/// another, up to a bound, and then makes it itself.
struct ClusterFlight: Sendable {
    private final class Made: Sendable {
        let result = Mutex<ImageResult?>(nil)
    }

    private let flight: SharedFlight

    init(leases: any LeaseProvider) { flight = SharedFlight(leases: leases) }

    /// The number of results by the way in which they were obtained.
    var statistics: SharedFlight.Statistics { flight.statistics }

    /// Waits until the results that were returned so far are stored.
    func finish() async { await flight.finish() }

    /// Returns the result of `make`, or of another server, and stores it.
    ///
    /// - Parameter previous: The result to replace, which the shared tiers may still have.
    func run(
        _ key: ResultKey, replacing previous: ImageResult?, store: ResultStore,
        make: @Sendable () async throws(ServerError) -> ImageResult
    ) async throws(ServerError) -> (ImageResult, ResultOrigin) {
        let made = Made()
        let value = try await flight.run(key.sharedKey) { (everywhere: Bool) async -> SharedValue? in
            // A stale result would be the answer forever.
            guard let found = await store.inShared(key, everywhere: everywhere)?.result,
                found.freshness(at: Date()) != .stale
            else {
                return nil
            }
            // Stored times are whole milliseconds.
            if let previous, found.lifetime.freshUntil.timeIntervalSince(previous.lifetime.freshUntil) < 0.001 {
                return nil
            }
            return found.sharedValue
        } produce: { () async throws(ServerError) -> SharedValue in
            let result = try await make()
            made.result.withLock { $0 = result }
            return result.sharedValue
        } store: { value in
            guard let result = made.result.withLock({ $0 }) else { return }
            await store.shareNow(result, as: value, for: key)
        }
        if let result = made.result.withLock({ $0 }) {
            store.writeToDisk(result, for: key)
            return (result, .made)
        }
        guard let result = ImageResult(value) else {
            throw ServerError(500, "internal", "The result of another server cannot be read.")
        }
        store.writeToDisk(result, for: key)
        return (result, .shared("cluster"))
    }
}
#endif
