/// The bytes and the number of entries in a folder: a scan sets them, stores and removals update them. Until the first scan ends they
/// count only this cache's changes.
///
/// Changes during a scan may or may not be in its listing, so their names are recorded, and the files are checked again when it
/// ends. Changes of other processes are found by the next scan.
struct DiskUsage {
    private(set) var bytes = 0
    private(set) var count = 0
    private(set) var isKnown = false
    private var writtenSinceScan = 0
    /// The names that changed during the scan; `nil` if there is no scan.
    private var changed: Set<String>?

    /// Counts an entry that was written over one of `replaced` bytes, or over none.
    mutating func countStore(_ name: String, bytes added: Int, replacing replaced: Int?) {
        bytes += added - (replaced ?? 0)
        count += replaced == nil ? 1 : 0
        writtenSinceScan += added
        changed?.insert(name)
    }

    mutating func countRemoval(_ name: String, bytes removed: Int) {
        countTrim(bytes: removed)
        changed?.insert(name)
    }

    /// Counts an entry that the scan has listed and removed, and that is not in the listing of `endScan`.
    mutating func countTrim(bytes removed: Int) {
        bytes -= removed
        count -= 1
    }

    /// Returns whether to scan: nothing was counted yet, or so much was written that other processes may have written as much.
    func isScanDue(limit: Int) -> Bool {
        guard changed == nil else { return false }
        return !isKnown || (limit > 0 && writtenSinceScan >= max(limit / 8, 1_000_000))
    }

    mutating func beginScan() { changed = changed ?? [] }

    /// Counts a listing. Does nothing if the folder was replaced during the scan.
    ///
    /// - Parameter current: Returns the bytes that a file has now.
    mutating func endScan(_ listing: [DiskTrim.Entry], current: (String) -> Int?) {
        guard let changed else { return }
        let unchanged = listing.filter { !changed.contains($0.name) }.map(\.facts.byteCount)
        let counted = unchanged + changed.compactMap(current)
        self = DiskUsage()
        bytes = counted.reduce(0, +)
        count = counted.count
        isKnown = true
    }

    mutating func abandonScan() { changed = nil }
}

/// Decides which entries are removed: those that are too old, those that are larger than the limit, and then as many as the limits
/// require.
struct DiskTrim {
    struct Entry {
        var name: String
        var facts: FileFacts
        /// The time of the store, if expiration depends on it.
        var created: Double?
    }

    let limits: DiskCache.Configuration
    /// Seconds since 1970.
    let now: Double

    struct Plan {
        var expired: [Entry] = []
        /// The entries that stay, unless they are too much.
        var rest: [Entry] = []
        var bytes = 0
    }

    func plan(_ entries: [Entry]) -> Plan {
        var plan = Plan()
        for entry in entries {
            // An entry that never fits must not displace the others.
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

    /// Returns whether a trim after a passed limit may end: less than `keptShare` is left.
    func isEnough(bytes: Int, count: Int) -> Bool {
        let share = min(1, max(0, limits.keptShare))
        func isEnough(_ value: Int, _ limit: Int) -> Bool {
            limit <= 0 || value == 0 || Double(value) < Double(limit) * share
        }
        return isEnough(bytes, limits.maximumBytes.bytes) && isEnough(count, limits.maximumCount)
    }

    /// Returns whether an entry is older than the limit. A date in the future, after the clock went back, counts as new.
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
