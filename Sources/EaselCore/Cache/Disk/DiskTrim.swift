/// Which entries go: those that are too old, those that alone are too large, and then as many more as the limits ask
/// (S132 to S134, X105). A pure function of a listing.
struct DiskTrim {
    /// An entry as a listing shows it.
    struct Entry {
        var name: String
        var facts: FileFacts
        /// When the bytes were stored, where that was asked for.
        var created: Double?
    }

    let limits: DiskCache.Configuration
    /// Seconds since 1970.
    let now: Double

    /// What a listing comes to.
    struct Plan {
        /// These go whatever the size is.
        var expired: [Entry] = []
        /// These stay, unless the rest is too much.
        var rest: [Entry] = []
        /// The bytes of the rest.
        var bytes = 0
    }

    func plan(_ entries: [Entry]) -> Plan {
        var plan = Plan()
        for entry in entries {
            // One that can never fit must not take the others along (B35).
            let isTooLarge = limits.maximumBytes > 0 && entry.facts.byteCount > limits.maximumBytes
            if isTooLarge || isExpired(entry.facts, created: entry.created) {
                plan.expired.append(entry)
            } else {
                plan.rest.append(entry)
                plan.bytes += entry.facts.byteCount
            }
        }
        return plan
    }

    /// Whether a limit is passed.
    func isOver(bytes: Int, count: Int) -> Bool {
        (limits.maximumBytes > 0 && bytes > limits.maximumBytes)
            || (limits.maximumCount > 0 && count > limits.maximumCount)
    }

    /// Whether a trim that began because a limit was passed may end: less than the share that is kept is left (X105).
    func isEnough(bytes: Int, count: Int) -> Bool {
        let share = min(1, max(0, limits.keptShare))
        return (limits.maximumBytes <= 0 || Double(bytes) < Double(limits.maximumBytes) * share || bytes == 0)
            && (limits.maximumCount <= 0 || Double(count) < Double(limits.maximumCount) * share || count == 0)
    }

    /// Whether an entry is older than the limit. A clock that went back makes its date lie ahead: then it is as if new.
    func isExpired(_ facts: FileFacts, created: Double?) -> Bool {
        limits.maximumAge >= .zero && now - date(facts, created) >= limits.maximumAge.seconds
    }

    private func date(_ facts: FileFacts, _ created: Double?) -> Double {
        switch limits.expiration {
        case .access: facts.accessed
        case .modification: facts.modified
        case .creation: created ?? facts.modified
        }
    }

    /// The entries in the order in which they go.
    func inOrder(_ entries: [Entry]) -> [Entry] {
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
