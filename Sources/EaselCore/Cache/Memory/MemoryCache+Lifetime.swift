public import Synchronization

extension MemoryCache {
    /// Stores a value that can be read for `lifetime`, whatever the cache was configured with; `nil` is for ever (B10).
    ///
    /// With a lifetime of zero or less it is not stored, and what it would have replaced goes.
    public func store(_ value: Value, cost: Int, for key: CacheKey, lifetime: Duration?) {
        store(value, cost: cost, for: key.digest, lifetime: lifetime)
    }

    /// Stores for the lifetime that the cache was configured with.
    @usableFromInline
    func storeForLifetime(_ value: Value, cost: Int, for digest: Digest) {
        store(value, cost: cost, for: digest, lifetime: configuration.lifetime)
    }

    func store(_ value: Value, cost: Int, for digest: Digest, group: Digest? = nil, lifetime: Duration?) {
        guard lifetime.map({ $0 > .zero }) ?? true else {
            remove(digest)
            return
        }
        let expiry = lifetime.map(expiry)
        var released = Released<Value>()
        state.withLock { state in
            state.entries.store(value, cost: cost, for: digest, group: group, expiry: expiry, released: &released)
            if state.entries.mortalCount > 0, state.cleaner == nil { state.cleaner = makeCleaner() }
        }
    }

    private func expiry(after lifetime: Duration) -> EntryLifetimes.Expiry {
        // A thousand years, so that sums of times cannot overflow.
        let bounded = min(lifetime, .days(365_000))
        mayExpire.store(true, ordering: .relaxed)
        return EntryLifetimes.Expiry(
            deadline: configuration.clock.now() + bounded,
            extendsBy: configuration.extendsLifetimeOnUse ? bounded : nil)
    }

    /// Removes the values whose lifetime is over, which the cache does by itself from time to time (B11).
    public func removeExpired() {
        _ = clean(isCleaner: false)
    }

    /// The time, where anything may have expired.
    @inlinable
    var now: Duration? {
        mayExpire.load(ordering: .relaxed) ? time : nil
    }

    @usableFromInline
    var time: Duration { configuration.clock.now() }

    /// Sleeps and cleans for as long as there is something that expires one day. Does not keep the cache alive.
    private func makeCleaner() -> Task<Void, Never> {
        let (clock, interval) = (configuration.clock, configuration.cleaningInterval)
        return Task.detached(priority: .background) { [weak self] in
            while (try? await clock.sleep(interval)) != nil, self?.clean(isCleaner: true) == true {}
        }
    }

    /// Returns whether there is more to clean later. The last look of the cleaner is under the same lock as his leave,
    /// so that no value is stored between them with nobody to clean it.
    private func clean(isCleaner: Bool) -> Bool {
        let now = configuration.clock.now()
        var released = Released<Value>()
        return state.withLock { state in
            state.entries.removeExpired(at: now, released: &released)
            let isMore = state.entries.mortalCount > 0
            if isCleaner, !isMore { state.cleaner = nil }
            return isMore
        }
    }
}
