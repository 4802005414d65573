import Synchronization

extension MemoryCache {
    /// The most that the costs may sum up to. Lowering it evicts at once (B7).
    public var maximumCost: Int {
        get { state.withLock { $0.entries.limits.cost } }
        set { changeLimits { $0.cost = newValue } }
    }

    /// The most values. Lowering it evicts at once (B7).
    public var maximumCount: Int {
        get { state.withLock { $0.entries.limits.count } }
        set { changeLimits { $0.count = newValue } }
    }

    /// The most that a single value may take of `maximumCost`, from 0 to 1 (B4). Values that are there already stay.
    public var maximumEntryShare: Double {
        get { state.withLock { $0.entries.limits.entryShare } }
        set { changeLimits { $0.entryShare = newValue } }
    }

    /// The summed cost of what is there.
    public var totalCost: Int { state.withLock { $0.entries.totalCost } }

    /// How many values are there.
    public var count: Int { state.withLock { $0.entries.count } }

    /// What the cache has done so far.
    public var statistics: MemoryCacheStatistics { state.withLock { $0.entries.statistics } }

    /// Evicts in the order of the policy until the summed cost is at most `cost` (B8). 0 empties, of what costs nothing too.
    public func trim(toCost cost: Int) {
        trim { _ in EntryTarget(cost: max(cost, 0), count: cost > 0 ? .max : 0) }
    }

    /// Evicts in the order of the policy until at most `count` values are left (B8).
    public func trim(toCount count: Int) {
        trim { _ in EntryTarget(cost: .max, count: max(count, 0)) }
    }

    /// Evicts as much as this pressure asks for: a share of what is there now, by cost and by number (B14).
    public func trim(for pressure: MemoryPressure) {
        trim { entries in
            EntryTarget(
                cost: Int(Double(entries.totalCost) * pressure.keptShare),
                count: Int(Double(entries.count) * pressure.keptShare))
        }
    }

    private func trim(to target: (MemoryEntries<Value>) -> EntryTarget) {
        var released = Released<Value>()
        state.withLock { $0.entries.trim(to: target($0.entries), released: &released) }
    }

    private func changeLimits(_ change: (inout MemoryLimits) -> Void) {
        var released = Released<Value>()
        state.withLock { state in
            var limits = state.entries.limits
            change(&limits)
            state.entries.setLimits(limits, released: &released)
        }
    }
}
