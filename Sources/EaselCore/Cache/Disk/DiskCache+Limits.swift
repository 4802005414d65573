import EaselFoundation
import Synchronization

/// How the limits are kept. All of it blocks, and runs on a file thread in the order of `upkeep`.
extension DiskCache {
    /// What a trim aims at.
    enum TrimGoal: Equatable {
        /// The limits, where one is passed.
        case limits
        /// Room for so many bytes on a full disk: half of what is here goes, or as much as it takes; nothing where all
        /// of it would not be enough.
        case room(Int)
        /// So many bytes free on the file system.
        case free(Int)
    }

    /// After a store: trims where a limit is passed, and counts where nobody has, or others may have written too.
    ///
    /// - Parameter started: seconds since 1970 when the store began: what it stored is there to be read, even where
    ///   everything is too old at once (X071).
    func keepLimits(_ entries: DiskEntries, started: Double) async {
        if isOverLimit {
            await upkeep.run {
                // Who waited here for another's trim may find nothing left to do.
                if self.isOverLimit { self.trim(entries, to: .limits, asOf: started) }
            }
        } else if beginsScan() {
            upkeep.begin { self.trim(entries, to: .limits, asOf: started) }
        }
    }

    private var isOverLimit: Bool {
        counter.withLock { DiskTrim(limits: configuration, now: 0).isOver(bytes: $0.bytes, count: $0.count) }
    }

    private func beginsScan() -> Bool {
        counter.withLock { counter in
            guard counter.isScanDue(limit: configuration.maximumBytes) else { return false }
            counter.beginScan()
            return true
        }
    }

    /// Counts, removes what is too old, and then as much as the goal asks. Linear in the number of entries.
    func trim(_ entries: DiskEntries, to goal: TrimGoal, asOf now: Double = Date().timeIntervalSince1970) {
        guard let list = scan(entries) else { return }
        let trim = DiskTrim(limits: configuration, now: now)
        let plan = trim.plan(list)
        var kept = plan.expired.filter { !remove($0, from: entries) }
        var bytes = plan.bytes
        var count = plan.rest.count
        let isReached = { [wasOver = trim.isOver(bytes: bytes, count: count)] in
            switch goal {
            case .limits: !wasOver || trim.isEnough(bytes: bytes, count: count)
            case .room(let wanted): plan.bytes < wanted || bytes <= min(plan.bytes / 2, plan.bytes - wanted)
            case .free(let wanted): (entries.folder.freeBytes ?? wanted) >= wanted
            }
        }
        var rest = isReached() ? plan.rest[...] : trim.inOrder(plan.rest)[...]
        while !isReached(), let entry = rest.popFirst() {
            guard remove(entry, from: entries) else {
                kept.append(entry)
                continue
            }
            bytes -= entry.facts.byteCount
            count -= 1
        }
        endScan(kept + rest, of: entries)
    }

    /// Removes an entry that a listing has shown, unless it is another by now. Returns whether it is gone.
    func remove(_ entry: DiskTrim.Entry, from entries: DiskEntries) -> Bool {
        counter.withLock { counter in
            guard entries.removeUnchanged(entry) else { return false }
            counter.trimmed(bytes: entry.facts.byteCount)
            return true
        }
    }

    /// Every entry, for `endScan` to count; `nil` where the folder cannot be listed, which says nothing of what it holds.
    func scan(_ entries: DiskEntries) -> [DiskTrim.Entry]? {
        counter.withLock { $0.beginScan() }
        if let list = try? entries.list() { return list }
        counter.withLock { $0.abandonScan() }
        return nil
    }

    /// Sets the counter to what a listing has shown, without what was removed since.
    func endScan(_ listing: [DiskTrim.Entry], of entries: DiskEntries) {
        counter.withLock { counter in
            counter.endScan(listing) { name in
                entries.folder.facts(of: name).flatMap { $0.isFile ? $0.byteCount : nil }
            }
        }
    }
}
