import EaselFoundation
import Synchronization

extension DiskCache {
    /// How much a cache holds.
    public struct Statistics: Sendable, Hashable {
        /// The number of entries.
        public var entries = 0
        /// The bytes of their files.
        public var bytes = 0
        /// Whether everything was counted. Until the first count ends, soon after the first store, there may be more.
        public var isComplete = true
    }

    /// The result of a check of every entry.
    package struct Verification: Sendable, Hashable {
        /// Entries that were read.
        package var entries = 0
        /// Entries whose bytes are not those that were stored.
        package var torn = 0
        /// Torn entries that could be removed.
        package var removed = 0
        /// The bytes of the sound entries.
        package var bytes = 0
    }

    /// The size by the counter that stores and removals update, in constant time. Changes of other processes are in it after the next
    /// count.
    public var usage: Statistics {
        counter.withLock { Statistics(entries: max(0, $0.count), bytes: max(0, $0.bytes), isComplete: $0.isKnown) }
    }

    /// Counts the entries and their bytes. Linear in the number of entries.
    public func statistics() async -> Statistics {
        await upkeep.run {
            guard let entries = try? self.existing(), let list = self.scan(entries) else { return Statistics() }
            self.endScan(list, of: entries)
            return Statistics(entries: list.count, bytes: list.reduce(0) { $0 + $1.facts.byteCount })
        }
    }

    /// Removes entries that are too old and then, if a limit is passed, as many as it takes until `keptShare` is left. Linear in
    /// the number of entries.
    public func trim() async {
        await upkeep.run {
            if let entries = try? self.existing() { self.trim(entries, to: .limits) }
        }
    }

    /// Removes every entry.
    ///
    /// - Throws: `ImageError.unwritable` if one cannot be removed; all others are gone then. The same if the folder cannot be read.
    public func removeAll() async throws(ImageError) {
        try await upkeep.run { () throws(ImageError) in
            guard let entries = try self.existing(failingAs: ImageError.unwritable) else { return }
            let list: [DiskTrim.Entry]
            do throws(SystemError) { list = try entries.list() } catch {
                throw .unwritable(path: self.folder, reason: error.reason)
            }
            var failure: ImageError?
            for entry in list {
                do throws(ImageError) { try self.remove(entry.name, from: entries) } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    /// Reads every entry and removes those whose bytes are not the ones that were stored.
    package func verify() async -> Verification {
        await upkeep.run {
            var result = Verification()
            guard let entries = try? self.existing() else { return result }
            for entry in (try? entries.list()) ?? [] {
                // A check is not a use of the entry, but the system may count the reading as an access.
                defer { entries.touch(entry.name, accessed: entry.facts.accessed) }
                guard let isSound = entries.isSound(entry.name) else { continue }
                result.entries += 1
                if isSound {
                    result.bytes += entry.facts.byteCount
                } else {
                    result.torn += 1
                    if self.remove(entry, from: entries) { result.removed += 1 }
                }
            }
            return result
        }
    }

    /// Returns when the work that stores have left for later, for example a first count, is done.
    public func settle() async { await upkeep.settle() }

    // MARK: - Trimming

    /// When a trim may end.
    enum TrimGoal: Equatable {
        /// The limits are kept.
        case limits
        /// A full disk has room for so many bytes: half of the entries are removed, or as many as it takes; none if all would not be
        /// enough.
        case room(Int)
        /// So many bytes are free on the file system.
        case free(Int)
    }

    /// Trims after a store if a limit is passed. Counts if nothing was counted yet, or other processes may have written too.
    ///
    /// - Parameter started: The time when the store began, in seconds since 1970: its entry stays even if everything is too old at
    ///   once.
    func keepLimits(_ entries: DiskEntries, started: Double) async {
        if isOverLimit {
            await upkeep.run {
                // The trim of another store may have been enough.
                if self.isOverLimit { self.trim(entries, to: .limits, asOf: started) }
            }
            return
        }
        let isScanDue = counter.withLock { counter in
            let isDue = counter.isScanDue(limit: configuration.maximumBytes.bytes)
            if isDue { counter.beginScan() }
            return isDue
        }
        if isScanDue {
            upkeep.begin { self.trim(entries, to: .limits, asOf: started) }
        }
    }

    private var isOverLimit: Bool {
        counter.withLock { DiskTrim(limits: configuration, now: 0).isOver(bytes: $0.bytes, count: $0.count) }
    }

    /// Counts, removes what is too old, and then as much as the goal requires. Blocks. Linear in the number of entries.
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
        var rest = isReached() ? plan.rest[...] : trim.sort(plan.rest)[...]
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

    /// Removes a listed entry, unless it was replaced since. Returns whether it is gone.
    private func remove(_ entry: DiskTrim.Entry, from entries: DiskEntries) -> Bool {
        counter.withLock { counter in
            guard entries.removeUnchanged(entry) else { return false }
            counter.countTrim(bytes: entry.facts.byteCount)
            return true
        }
    }

    /// Lists every entry for `endScan`; `nil` if the folder cannot be listed.
    private func scan(_ entries: DiskEntries) -> [DiskTrim.Entry]? {
        counter.withLock { $0.beginScan() }
        if let list = try? entries.list() { return list }
        counter.withLock { $0.abandonScan() }
        return nil
    }

    /// Sets the counter to a listing, without the entries that were removed since.
    private func endScan(_ listing: [DiskTrim.Entry], of entries: DiskEntries) {
        counter.withLock { counter in
            counter.endScan(listing) { name in
                entries.folder.facts(of: name).flatMap { $0.isFile ? $0.byteCount : nil }
            }
        }
    }
}
