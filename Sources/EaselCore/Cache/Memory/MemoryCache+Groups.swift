import Synchronization

/// Values that can stand for one another, as the sizes of one picture can (B15).
///
/// A value is in one group at most, and leaves it with the cache; storing it again without a group takes it out.
extension MemoryCache {
    /// Stores a value as one of a group, for the lifetime that the cache was configured with.
    public func store(_ value: Value, cost: Int, for key: CacheKey, group: CacheKey) {
        store(value, cost: cost, for: key.digest, group: group.digest, lifetime: configuration.lifetime)
    }

    /// The values of a group, those too that were evicted and that somebody still holds, the dearest first. Looking is no
    /// use, and is not counted in the statistics. Takes time in the order of their number.
    public func values(inGroup group: CacheKey) -> [Value] {
        members(of: group).map(\.value)
    }

    /// The value of a group that `choose` picks, the dearest first: the index of one of them, or `nil`. That is a use of it.
    public func value(inGroup group: CacheKey, choosing choose: ([Value]) -> Int?) -> Value? {
        let members = members(of: group)
        guard !members.isEmpty, let index = choose(members.map(\.value)), members.indices.contains(index) else {
            return nil
        }
        // It may have gone meanwhile: then it is here all the same.
        return value(for: members[index].digest) ?? members[index].value
    }

    private func members(of group: CacheKey) -> [MemoryEntries<Value>.Member] {
        let now = now
        return state.withLock { $0.entries.members(of: group.digest, at: now) }
    }
}
