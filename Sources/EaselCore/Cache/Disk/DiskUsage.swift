/// The number and size of the entries in a folder. A scan sets them; stores and removals update them. Until the first
/// scan ends they count only the changes of this cache.
///
/// A change during a scan may or may not be in its listing. The names of such files are recorded, and the files are
/// checked again when the scan ends. The next scan finds changes by other processes.
struct DiskUsage {
    private(set) var bytes = 0
    private(set) var count = 0
    private(set) var isKnown = false
    /// The bytes and entries that pins keep, a part of `bytes` and `count`.
    private(set) var pinnedBytes = 0
    private(set) var pinnedCount = 0
    private var writtenSinceScan = 0
    /// The names of the files that changed during the scan, or `nil` if no scan is running.
    private(set) var changed: Set<String>?

    /// Counts a stored entry. `replaced` is the size of the entry that it replaced, or `nil`.
    mutating func countStore(_ name: String, bytes added: Int, replacing replaced: Int?, isPinned: Bool = false) {
        bytes += added - (replaced ?? 0)
        count += replaced == nil ? 1 : 0
        writtenSinceScan += added
        changed?.insert(name)
        if isPinned { countPinned(bytes: added - (replaced ?? 0), count: replaced == nil ? 1 : 0) }
    }

    mutating func countPinned(bytes: Int, count: Int) {
        pinnedBytes += bytes
        pinnedCount += count
    }

    mutating func countRemoval(_ name: String, bytes removed: Int, isPinned: Bool = false) {
        countTrim(bytes: removed)
        changed?.insert(name)
        if isPinned { countPinned(bytes: -removed, count: -1) }
    }

    /// Counts a removal of a listed entry by the trim itself, which leaves it out of the listing for `endScan`.
    mutating func countTrim(bytes removed: Int) {
        bytes -= removed
        count -= 1
    }

    /// Returns whether to scan: before the first count, and after many stores, since other processes may have stored as
    /// much.
    func isScanDue(limit: Int) -> Bool {
        guard changed == nil else { return false }
        return !isKnown || (limit > 0 && writtenSinceScan >= max(limit / 8, 1_000_000))
    }

    mutating func beginScan() { changed = changed ?? [] }

    /// Sets the counts to those of a listing. Does nothing if the folder was replaced during the scan.
    ///
    /// - Parameters:
    ///   - pinned: The names of the entries that pins keep.
    ///   - current: Returns the present size of a file, or `nil` if it does not exist.
    mutating func endScan(_ listing: [DiskTrim.Entry], pinned: Set<String> = [], current: (String) -> Int?) {
        guard let changed else { return }
        var sizes = Dictionary(listing.map { ($0.name, $0.facts.byteCount) }) { $1 }
        for name in changed { sizes[name] = current(name) }
        self = DiskUsage()
        bytes = sizes.values.reduce(0, +)
        count = sizes.count
        isKnown = true
        for name in pinned { if let bytes = sizes[name] { countPinned(bytes: bytes, count: 1) } }
    }

    mutating func abandonScan() { changed = nil }
}

/// The rules that select the entries to remove: expired ones, ones larger than the limit, and then as many as the
/// limits require.
struct DiskTrim {
    struct Entry {
        var name: String
        var facts: FileFacts
        /// The time of the store in seconds since 1970, if expiration depends on it.
        var created: Double?
    }

    let limits: DiskCache.Configuration
    /// Seconds since 1970.
    let now: Double

    struct Plan {
        var expired: [Entry] = []
        /// The entries that stay if they are within the limits.
        var rest: [Entry] = []
        var bytes = 0
    }

    func plan(_ entries: [Entry]) -> Plan {
        var plan = Plan()
        for entry in entries {
            // An entry larger than the limit must not displace all others.
            let isTooLarge = limits.maximumBytes.bytes > 0 && entry.facts.byteCount > limits.maximumBytes.bytes
            if isTooLarge || isExpired(entry.facts, created: entry.created) {
                plan.expired.append(entry)
            } else {
                plan.rest.append(entry)
                plan.bytes += entry.facts.byteCount
            }
        }
        return plan
    }

    func isOver(bytes: Int, count: Int) -> Bool {
        (limits.maximumBytes.bytes > 0 && bytes > limits.maximumBytes.bytes)
            || (limits.maximumCount > 0 && count > limits.maximumCount)
    }

    /// Returns whether a trim can end: less than `keptShare` of each limit is left.
    func isEnough(bytes: Int, count: Int) -> Bool {
        let share = min(1, max(0, limits.keptShare))
        func isEnough(_ value: Int, _ limit: Int) -> Bool {
            limit <= 0 || value == 0 || Double(value) < Double(limit) * share
        }
        return isEnough(bytes, limits.maximumBytes.bytes) && isEnough(count, limits.maximumCount)
    }

    /// Returns whether an entry is older than the limit. A date in the future, from before the clock was set back,
    /// counts as new.
    func isExpired(_ facts: FileFacts, created: Double?) -> Bool {
        limits.maximumAge.duration >= .zero && now - date(facts, created) >= limits.maximumAge.duration.seconds
    }

    private func date(_ facts: FileFacts, _ created: Double?) -> Double {
        switch limits.expiration {
        case .access: facts.accessed
        case .modification: facts.modified
        case .creation: created ?? facts.modified
        }
    }

    func sort(_ entries: [Entry]) -> [Entry] {
        switch limits.eviction {
        case .oldest: entries.sorted { date($0.facts, $0.created) < date($1.facts, $1.created) }
        case .leastRecentlyUsed: entries.sorted { $0.facts.accessed < $1.facts.accessed }
        case .largest:
            entries.sorted {
                ($0.facts.byteCount, $1.facts.accessed) > ($1.facts.byteCount, $0.facts.accessed)
            }
        }
    }
}
