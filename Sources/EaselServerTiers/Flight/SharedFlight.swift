#if Server
import EaselCore

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

    private let leases: any LeaseProvider
    private let configuration: Configuration
    private let clock: LoadClock
    private let records = FlightRecords()

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
    public var statistics: Statistics { records.statistics }

    /// Waits until the results that were returned so far are stored, before a server ends.
    public func finish() async { await records.tasks.finish() }

    /// Returns the result for a key, made by this server or by another one.
    ///
    /// The caller has already looked up the result, and calls this once at a time for a key.
    ///
    /// - Parameters:
    ///   - key: The key of the result, and of its lease.
    ///   - lookUp: Returns the result from all shared tiers, or for `false` only from the fastest.
    ///   - produce: Makes the result.
    ///   - store: Stores the result in the shared tiers, after this has returned it. The lease ends afterwards. It is not
    ///     called if the lease was lost, because another server then makes a newer result.
    /// - Throws: the error of `produce`.
    public func run<Failure: Error>(
        _ key: SharedKey, lookUp: (_ everywhere: Bool) async -> SharedValue?,
        produce: () async throws(Failure) -> SharedValue,
        store: @escaping @Sendable (SharedValue) async -> Void
    ) async throws(Failure) -> SharedValue {
        var state = FlightState(.init(bound: configuration.waitLimit), at: clock.now())
        var found: SharedValue?
        var step = state.first
        while true {
            switch step {
            case .lookUp(let everywhere):
                found = await lookUp(everywhere)
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
                    records.count { $0.joined += 1 }
                    return found
                }
                step = .produce(nil)
            }
        }
    }

    private func make<Failure: Error>(
        _ lease: Lease?, _ produce: () async throws(Failure) -> SharedValue,
        _ store: @escaping @Sendable (SharedValue) async -> Void
    ) async throws(Failure) -> SharedValue {
        let renewal = lease.map { lease in Task { await renew(lease) } }
        let value: SharedValue
        do throws(Failure) {
            value = try await produce()
        } catch {
            renewal?.cancel()
            await release(lease)
            throw error
        }
        // A slow store delays neither the caller nor, unless they need the result, the other servers.
        records.tasks.run { [self] in
            if let lease, await !isHeld(lease) {
                records.count { $0.lost += 1 }
            } else {
                await store(value)
                records.count { if lease == nil { $0.alone += 1 } else { $0.led += 1 } }
            }
            // Not before, because storing a result can take longer than the lease.
            renewal?.cancel()
            await release(lease)
        }
        return value
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
