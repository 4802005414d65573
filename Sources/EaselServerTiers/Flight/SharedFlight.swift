#if Server
import EaselCore
import Synchronization

/// Work that several servers may need at the same time, done by one of them.
///
/// A server that dies while it works delays the others by the rest of its lease. If the leases cannot be reached, each
/// server works for itself.
public struct SharedFlight: Sendable {
    /// The times of shared work.
    public struct Configuration: Sendable, Hashable {
        /// The time after which the lease of a server that died expires: 2 s. A working server renews it.
        public var leaseDuration = Duration.seconds(2)
        /// The longest time to wait for another server, after which a server works itself: 10 s.
        public var waitLimit = Duration.seconds(10)

        /// Creates the default times.
        public init() {}
    }

    /// The number of results by the way in which they were obtained, for metrics.
    public struct Statistics: Sendable, Hashable {
        /// Results that this server made with a lease.
        public var led = 0
        /// Results that another server made.
        public var joined = 0
        /// Results that this server made without a lease, because the wait was too long or the leases cannot be
        /// reached.
        public var alone = 0
        /// Results whose lease was lost while they were made, and which were not stored.
        public var lost = 0

        /// Creates statistics without results.
        public init() {}
    }

    private final class Counter: Sendable {
        let statistics = Mutex(Statistics())
    }

    private let leases: any LeaseProvider
    private let configuration: Configuration
    private let clock: LoadClock
    private let counter = Counter()

    /// Creates a flight with leases.
    public init(leases: any LeaseProvider, _ configuration: Configuration = Configuration()) {
        self.init(leases: leases, configuration, clock: LoadClock(ContinuousClock()))
    }

    init(leases: any LeaseProvider, _ configuration: Configuration, clock: LoadClock) {
        self.leases = leases
        self.configuration = configuration
        self.clock = clock
    }

    /// The number of results by the way in which they were obtained.
    public var statistics: Statistics { counter.statistics.withLock(\.self) }

    /// Returns the result for a key, made by this server or by another one.
    ///
    /// The caller has already looked up the result, and calls this once at a time for a key.
    ///
    /// - Parameters:
    ///   - key: The key of the result, and of its lease.
    ///   - lookUp: Returns the result from the shared tiers.
    ///   - produce: Makes the result.
    ///   - store: Stores the result in the shared tiers. It is not called if the lease was lost, because another server
    ///     then makes a newer result.
    /// - Throws: the error of `produce`.
    public func run<Failure: Error>(
        _ key: SharedKey, lookUp: () async -> SharedValue?, produce: () async throws(Failure) -> SharedValue,
        store: (SharedValue) async -> Void
    ) async throws(Failure) -> SharedValue {
        var state = FlightState(.init(bound: configuration.waitLimit), at: clock.now())
        var found: SharedValue?
        var step = state.first
        while true {
            switch step {
            case .lookUp:
                found = await lookUp()
                step = state.didLookUp(found: found != nil)
            case .acquire:
                do throws(TierError) {
                    let lease = try await leases.acquire(key, for: configuration.leaseDuration)
                    step = state.didAcquire(lease, at: clock.now())
                } catch {
                    step = state.didFailToAcquire()
                }
            case .wait(let pause):
                // A cancelled task continues with `produce`, which throws the error of the caller.
                step = (try? await clock.sleep(pause)) == nil ? state.didFailToAcquire() : state.didWait()
            case .produce(let lease):
                return try await make(lease, produce, store)
            case .finish(let lease):
                await release(lease)
                if let found {
                    counter.statistics.withLock { $0.joined += 1 }
                    return found
                }
                step = .produce(nil)
            }
        }
    }

    private func make<Failure: Error>(
        _ lease: Lease?, _ produce: () async throws(Failure) -> SharedValue, _ store: (SharedValue) async -> Void
    ) async throws(Failure) -> SharedValue {
        guard let lease else {
            let value = try await produce()
            counter.statistics.withLock { $0.alone += 1 }
            await store(value)
            return value
        }
        let renewal = Task { await renew(lease) }
        let result: Result<SharedValue, Failure>
        do throws(Failure) { result = .success(try await produce()) } catch { result = .failure(error) }
        if case .success(let value) = result {
            if await isHeld(lease) {
                await store(value)
                counter.statistics.withLock { $0.led += 1 }
            } else {
                counter.statistics.withLock { $0.lost += 1 }
            }
        }
        // Not before, because storing a result can take longer than the lease.
        renewal.cancel()
        await release(lease)
        return try result.get()
    }

    /// Renews a lease in a third of its duration, until the task is cancelled or the lease is lost.
    private func renew(_ lease: Lease) async {
        while (try? await clock.sleep(lease.duration / 3)) != nil {
            do throws(TierError) {
                guard try await leases.renew(lease) else { return }
            } catch {
                // The server may answer again before the lease expires.
            }
        }
    }

    /// Returns whether a lease is still held; also `true` if the leases cannot be reached.
    private func isHeld(_ lease: Lease) async -> Bool {
        do throws(TierError) { return try await leases.renew(lease) } catch { return true }
    }

    /// Ends a lease, also for a cancelled task, because the others would otherwise wait for its expiry.
    private func release(_ lease: Lease?) async {
        guard let lease else { return }
        await Task { [leases] in
            do throws(TierError) { try await leases.release(lease) } catch {
                // It expires.
            }
        }.value
    }
}
#endif
