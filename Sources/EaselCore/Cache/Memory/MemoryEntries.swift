/// A value whose memory belongs to an object, so that a cache can find it after eviction while that object is
/// referenced elsewhere.
protocol WeaklyCacheable: Sendable {
    /// Returns a closure that references this value weakly, or `nil` if the value is not referenced elsewhere.
    ///
    /// A cache calls this under its lock on a value that leaves it, so it must be quick and must not call the cache. It
    /// is mutating so that it can call `isKnownUniquelyReferenced`.
    mutating func weakReference() -> (@Sendable () -> Self?)?
}

extension DecodedImage: WeaklyCacheable {
    /// Returns a closure that returns the image while its pixels and its animation are referenced elsewhere.
    mutating func weakReference() -> (@Sendable () -> DecodedImage?)? {
        // With deep pixels or a gain map, an image would need more weak references; few images have them.
        guard deepPixels == nil, gainMap == nil, let pixels = pixels.weakReference() else { return nil }
        return {
            [
                scale, metadata, stamp, urlDigest, alternative, isFirstFrameOnly, isAnimated = animation != nil,
                weak animation
            ] in
            guard let pixels = pixels(), !isAnimated || animation != nil else { return nil }
            var image = DecodedImage(pixels: pixels, scale: scale, metadata: metadata, animation: animation)
            image.stamp = stamp
            (image.urlDigest, image.alternative) = (urlDigest, alternative)
            image.isFirstFrameOnly = isFirstFrameOnly
            return image
        }
    }
}

/// The contents of a memory cache: the entry table, its values, evicted values that are still referenced elsewhere, and
/// groups.
///
/// It has no lock and no clock: the time is a parameter, `nil` if nothing expires.
struct MemoryEntries<Value: Sendable>: Sendable {
    typealias MakeReference = @Sendable (_ value: inout Value) -> (@Sendable () -> Value?)?

    /// An evicted value that is still referenced elsewhere, with its cost and expiry for storing it again.
    private struct WeakEntry: Sendable {
        let reference: @Sendable () -> Value?
        let cost: Int
        let expiry: Expiry?
    }

    private(set) var table: EntryTable
    /// By the index of the slot; `nil` for free slots.
    private var values: [Value?] = []
    /// Removed values. The owner releases them outside its lock.
    var released: [Value] = []
    private(set) var groups = EntryGroups()
    /// `nil` if the cache does not find evicted values.
    private let makeReference: MakeReference?
    private var weakEntries: [Digest: WeakEntry] = [:]
    private static var smallestWeakLimit: Int { 64 }
    /// The number of weak entries at which dead ones are removed: twice the number that was left the last time.
    private var weakLimit = smallestWeakLimit

    init(_ configuration: MemoryCacheConfiguration, makeReference: MakeReference?) {
        table = EntryTable(configuration)
        self.makeReference = makeReference
    }

    /// Reads a value, which counts as a use.
    ///
    /// Inlined, since a cache of another module's values is not specialized, and each generic call looks up types at
    /// run time.
    @inline(__always)
    mutating func value(for digest: Digest, at now: Duration?) -> Value? {
        if let index = table.use(digest, at: now) { return values[index] }
        return restore(digest, at: now)
    }

    /// Returns the value that a read would find. This is not a use.
    func peek(_ digest: Digest, at now: Duration?) -> Value? {
        if let index = table.index(of: digest) { return table.isExpired(index, at: now) ? nil : values[index] }
        guard let entry = weakEntries[digest], entry.expiry?.isReached(at: now) != true else { return nil }
        return entry.reference()
    }

    func cost(of digest: Digest) -> Int? {
        table.index(of: digest).map { table.slots[$0].cost } ?? weakEntries[digest]?.cost
    }

    /// Stores a value, replaces the previous one, and evicts others if there is no room.
    ///
    /// A value that costs too much is not stored and evicts nothing, but the value that it would have replaced is
    /// removed.
    mutating func store(_ value: Value, cost: Int, for digest: Digest, group: Digest?, expiry: Expiry?) {
        let cost = max(cost, 0)
        groups.leave(digest)
        _ = removeWeakly(digest)
        if table.configuration.admits(cost: cost) {
            insert(value, cost: cost, for: digest, expiry: expiry)
        } else {
            if let old = remove(digest) { released.append(old) }
            var value = value
            guard !table.configuration.isDisabled, keepWeakly(&value, for: digest, cost: cost, expiry: expiry) else {
                return
            }
        }
        if let group { groups.join(group, digest) }
    }

    /// Removes a value and returns it. Includes an evicted value that is still referenced elsewhere.
    mutating func remove(_ digest: Digest) -> Value? {
        groups.leave(digest)
        guard let index = table.index(of: digest) else { return removeWeakly(digest)?.reference() }
        table.remove(index)
        return values[index].take()
    }

    /// Removes everything. Limits and statistics stay.
    mutating func removeAll() {
        released += values.compactMap(\.self)
        weakEntries = [:]
        weakLimit = Self.smallestWeakLimit
        groups = EntryGroups()
        releaseMemory()
    }

    /// Removes the values that match, including evicted ones that are still referenced elsewhere. Linear in the number
    /// of values.
    mutating func removeAll(where isRemoved: (Value) -> Bool) {
        var digests = values.indices.filter { values[$0].map(isRemoved) == true }.map { table.slots[$0].digest }
        for (digest, entry) in weakEntries {
            guard let value = entry.reference() else { continue }
            // This may be the last reference by now.
            released.append(value)
            if isRemoved(value) { digests.append(digest) }
        }
        released += digests.compactMap { remove($0) }
    }

    mutating func removeExpired(at now: Duration) {
        for index in table.expiredSlots(at: now) { expire(index) }
    }

    /// Evicts in the order of the policy until the entries cost at most `cost` and their number is at most `count`.
    mutating func trim(toCost cost: Int = .max, count: Int = .max) {
        evict(toCost: cost, count: count)
        if table.count == 0 { releaseMemory() }
    }

    /// Changes the limits, and evicts entries that exceed them. Removes weak entries too if the cache is disabled.
    mutating func configure(_ change: (inout MemoryCacheConfiguration) -> Void) {
        change(&table.configuration)
        let configuration = table.configuration
        trim(
            toCost: max(0, configuration.maximumCost), count: configuration.isDisabled ? 0 : configuration.maximumCount)
        if configuration.isDisabled { removeAll() }
    }

    /// Returns the values of a group that can be read, highest cost first. This is not a use.
    func members(of group: Digest, at now: Duration?) -> [(digest: Digest, value: Value)] {
        groups.members(of: group)
            .compactMap { digest in
                peek(digest, at: now).map { (digest: digest, value: $0, cost: cost(of: digest) ?? 0) }
            }
            .sorted { $0.cost > $1.cost }
            .map { (digest: $0.digest, value: $0.value) }
    }

    private mutating func insert(_ value: Value, cost: Int, for digest: Digest, expiry: Expiry?) {
        let index = table.claim(digest)
        if index == values.count {
            values.append(nil)
        } else if let old = values[index].take() {
            released.append(old)
        }
        // Not the sum of both costs, which can overflow.
        evict(toCost: table.configuration.maximumCost - cost, count: table.configuration.maximumCount - 1)
        table.insert(index, cost: cost, expiry: expiry)
        values[index] = value
    }

    private mutating func evict(toCost cost: Int, count: Int) {
        while let (index, expiry) = table.evict(toCost: cost, count: count) {
            guard var value = values[index].take() else { continue }
            let slot = table.slots[index]
            if !keepWeakly(&value, for: slot.digest, cost: slot.cost, expiry: expiry) { groups.leave(slot.digest) }
            released.append(value)
        }
    }

    private mutating func expire(_ index: Int) {
        if let value = remove(table.slots[index].digest) { released.append(value) }
    }

    /// Removes an expired entry, or stores an evicted value again that is still referenced elsewhere. A value that
    /// costs too much stays weak.
    private mutating func restore(_ digest: Digest, at now: Duration?) -> Value? {
        if let index = table.index(of: digest) {
            expire(index)
        } else if let entry = removeWeakly(digest) {
            let value = entry.reference()
            if let value, entry.expiry?.isReached(at: now) != true {
                if table.configuration.admits(cost: entry.cost) {
                    insert(value, cost: entry.cost, for: digest, expiry: entry.expiry)
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

    /// Stores a weak reference to an evicted value. Returns `false` if the value is not referenced elsewhere.
    private mutating func keepWeakly(
        _ value: inout Value, for digest: Digest, cost: Int, expiry: Expiry?
    ) -> Bool {
        guard let reference = makeReference?(&value) else { return false }
        if weakEntries.count >= weakLimit { removeDead() }
        weakEntries[digest] = WeakEntry(reference: reference, cost: cost, expiry: expiry)
        return true
    }

    private mutating func removeWeakly(_ digest: Digest) -> WeakEntry? {
        makeReference == nil ? nil : weakEntries.removeValue(forKey: digest)
    }

    /// Removes the weak entries whose values no longer exist.
    private mutating func removeDead() {
        for (digest, entry) in weakEntries {
            if let value = entry.reference() {
                // This may be the last reference by now.
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

/// Groups of entries that can replace one another, such as the sizes of one image. An entry is in one group at most.
struct EntryGroups: Sendable {
    private var digests: [Digest: [Digest]] = [:]
    private(set) var groups: [Digest: Digest] = [:]

    func members(of group: Digest) -> [Digest] { digests[group] ?? [] }

    /// Adds an entry that is in no group.
    mutating func join(_ group: Digest, _ digest: Digest) {
        groups[digest] = group
        digests[group, default: []].append(digest)
    }

    mutating func leave(_ digest: Digest) {
        guard let group = groups.removeValue(forKey: digest) else { return }
        digests[group]?.removeAll { $0 == digest }
        if digests[group]?.isEmpty == true { digests[group] = nil }
    }
}
