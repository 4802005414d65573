/// The contents of a memory cache: the entry table, the values at its places, evicted values that are held elsewhere, and
/// groups.
///
/// Has no lock and no clock: the time comes as an argument, `nil` where nothing expires. Values that leave are appended to
/// `released`, for the caller to release outside its lock.
struct MemoryEntries<Value: Sendable>: Sendable {
    typealias MakeReference = @Sendable (_ value: inout Value) -> (@Sendable () -> Value?)?

    /// An evicted value that something else still holds, with what it takes to store it again.
    private struct WeakEntry: Sendable {
        let reference: @Sendable () -> Value?
        let cost: Int
        let expiry: Expiry?
    }

    private(set) var table: EntryTable
    /// By place; `nil` for free places.
    private var values: [Value?] = []
    private(set) var groups = EntryGroups()
    /// `nil` where the cache does not find evicted values again.
    private let makeReference: MakeReference?
    private var weakEntries: [Digest: WeakEntry] = [:]
    private static var smallestWeakLimit: Int { 64 }
    /// The number of weak entries at which dead ones are removed: twice the number that was left the last time.
    private var weakLimit = smallestWeakLimit

    init(limits: MemoryLimits, policy: EvictionPolicy, makeReference: MakeReference?) {
        table = EntryTable(limits: limits, policy: policy)
        self.makeReference = makeReference
    }

    /// Reads a value, which counts as a use.
    ///
    /// Inlined, since a cache of another module's values is not specialized and each generic call costs it a look-up of types.
    @inline(__always)
    mutating func value(for digest: Digest, at now: Duration?, released: inout [Value]) -> Value? {
        if let place = table.use(digest, at: now) { return values[place] }
        return restore(digest, at: now, released: &released)
    }

    /// The value that a read would find. This is not a use.
    func peek(_ digest: Digest, at now: Duration?) -> Value? {
        if let place = table.place(of: digest) { return table.isExpired(place, at: now) ? nil : values[place] }
        guard let entry = weakEntries[digest], entry.expiry?.isReached(at: now) != true else { return nil }
        return entry.reference()
    }

    func cost(of digest: Digest) -> Int? {
        table.place(of: digest).map(table.cost) ?? weakEntries[digest]?.cost
    }

    /// Stores a value in place of the one that is there, and evicts what there is no room for.
    ///
    /// A value that costs too much is not stored and evicts nothing, but the value that it would have replaced goes.
    mutating func store(
        _ value: Value, cost: Int, for digest: Digest, group: Digest?, expiry: Expiry?, released: inout [Value]
    ) {
        let cost = max(cost, 0)
        groups.leave(digest)
        if let held = removeWeakly(digest)?.reference() { released.append(held) }
        if table.limits.admits(cost: cost) {
            insert(value, cost: cost, for: digest, expiry: expiry, released: &released)
        } else {
            if let old = remove(digest) { released.append(old) }
            var value = value
            let isHeld =
                !table.limits.isDisabled
                && keepWeakly(&value, for: digest, cost: cost, expiry: expiry, released: &released)
            guard isHeld else { return }
        }
        if let group { groups.join(group, digest) }
    }

    /// Removes a value and returns it, also one that was evicted and is held elsewhere.
    mutating func remove(_ digest: Digest) -> Value? {
        groups.leave(digest)
        guard let place = table.place(of: digest) else { return removeWeakly(digest)?.reference() }
        table.remove(place)
        return values[place].take()
    }

    /// Removes everything and returns it. Limits and statistics stay.
    mutating func removeAll() -> MemoryEntries {
        let old = self
        weakEntries = [:]
        weakLimit = Self.smallestWeakLimit
        groups = EntryGroups()
        releaseMemory()
        return old
    }

    /// Removes what has expired.
    mutating func removeExpired(at now: Duration, released: inout [Value]) {
        for place in table.expiredPlaces(at: now) { expire(place, released: &released) }
    }

    /// Evicts in the order of the policy until the entries cost at most `cost` and are at most `count`.
    mutating func trim(toCost cost: Int = .max, count: Int = .max, released: inout [Value]) {
        evict(toCost: cost, count: count, released: &released)
        if table.count == 0 { releaseMemory() }
    }

    /// Changes the limits, and evicts what is over them.
    mutating func setLimits(_ limits: MemoryLimits, released: inout [Value]) {
        table.limits = limits
        trim(toCost: limits.cost, count: limits.isDisabled ? 0 : limits.count, released: &released)
    }

    /// The values of a group that can be read, the highest cost first. This is not a use.
    func members(of group: Digest, at now: Duration?) -> [(digest: Digest, value: Value)] {
        groups.members(of: group)
            .compactMap { digest in
                peek(digest, at: now).map { (digest: digest, value: $0, cost: cost(of: digest) ?? 0) }
            }
            .sorted { $0.cost > $1.cost }
            .map { (digest: $0.digest, value: $0.value) }
    }

    private mutating func insert(
        _ value: Value, cost: Int, for digest: Digest, expiry: Expiry?, released: inout [Value]
    ) {
        let place = table.claim(digest)
        if place == values.count {
            values.append(nil)
        } else if let old = values[place].take() {
            released.append(old)
        }
        // Not the sum of both costs, which can overflow.
        evict(toCost: table.limits.cost - cost, count: table.limits.count - 1, released: &released)
        table.insert(place, cost: cost, expiry: expiry)
        values[place] = value
    }

    private mutating func evict(toCost cost: Int, count: Int, released: inout [Value]) {
        while let entry = table.evict(toCost: cost, count: count) {
            guard var value = values[entry.place].take() else { continue }
            let isHeld = keepWeakly(
                &value, for: entry.digest, cost: entry.cost, expiry: entry.expiry, released: &released)
            if !isHeld { groups.leave(entry.digest) }
            released.append(value)
        }
    }

    private mutating func expire(_ place: Int, released: inout [Value]) {
        table.statistics.expirations &+= 1
        if let value = remove(table.digest(at: place)) { released.append(value) }
    }

    /// Removes an expired entry, or stores a value again that was evicted and is held elsewhere. A value that costs too much
    /// stays where it is.
    private mutating func restore(_ digest: Digest, at now: Duration?, released: inout [Value]) -> Value? {
        if let place = table.place(of: digest) {
            expire(place, released: &released)
        } else if let entry = removeWeakly(digest) {
            let value = entry.reference()
            if let value, entry.expiry?.isReached(at: now) != true {
                if table.limits.admits(cost: entry.cost) {
                    insert(value, cost: entry.cost, for: digest, expiry: entry.expiry, released: &released)
                    table.statistics.insertions &-= 1
                } else {
                    weakEntries[digest] = entry
                }
                table.statistics.weakHits &+= 1
                return value
            }
            groups.leave(digest)
            if let value { released.append(value) }
        }
        table.statistics.misses &+= 1
        return nil
    }

    /// Keeps a weak reference to a value that leaves. Returns `false` where nothing else holds the value.
    private mutating func keepWeakly(
        _ value: inout Value, for digest: Digest, cost: Int, expiry: Expiry?, released: inout [Value]
    ) -> Bool {
        guard let reference = makeReference?(&value) else { return false }
        if weakEntries.count >= weakLimit { removeDead(released: &released) }
        weakEntries[digest] = WeakEntry(reference: reference, cost: cost, expiry: expiry)
        return true
    }

    private mutating func removeWeakly(_ digest: Digest) -> WeakEntry? {
        makeReference == nil ? nil : weakEntries.removeValue(forKey: digest)
    }

    /// Removes the weak entries whose values are gone. The other values are released later, since their
    /// last holder may end meanwhile.
    private mutating func removeDead(released: inout [Value]) {
        for (digest, entry) in weakEntries {
            if let value = entry.reference() {
                released.append(value)
            } else {
                weakEntries[digest] = nil
                groups.leave(digest)
            }
        }
        weakLimit = max(Self.smallestWeakLimit, weakEntries.count * 2)
    }

    private mutating func releaseMemory() {
        table.removeAll()
        values = []
    }
}

/// Which entries belong together, as the sizes of one image do. An entry is in one group at most.
struct EntryGroups: Sendable {
    private var digests: [Digest: [Digest]] = [:]
    private(set) var groups: [Digest: Digest] = [:]

    func members(of group: Digest) -> [Digest] { digests[group] ?? [] }

    /// Adds an entry that is in no group.
    mutating func join(_ group: Digest, _ digest: Digest) {
        groups[digest] = group
        digests[group, default: []].append(digest)
    }

    /// Removes an entry from its group, if it is in one.
    mutating func leave(_ digest: Digest) {
        guard let group = groups.removeValue(forKey: digest) else { return }
        digests[group]?.removeAll { $0 == digest }
        if digests[group]?.isEmpty == true { digests[group] = nil }
    }
}
