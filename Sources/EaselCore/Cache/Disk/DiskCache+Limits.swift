import EaselFoundation
import Synchronization

extension DiskCache {
    /// The number and size of the entries of a cache.
    public struct Statistics: Sendable, Hashable {
        /// The number of entries.
        public var entries = 0
        /// The bytes of their files.
        public var bytes = 0
        /// The bytes of pinned entries. They do not count towards `Configuration.maximumBytes`.
        public var pinnedBytes = 0
        /// Whether all entries are counted. `false` until the first count ends, soon after the first store.
        public var isComplete = true
    }

    /// The result of a check of every entry.
    package struct Verification: Sendable, Hashable {
        /// The number of entries that were read.
        package var entries = 0
        /// The number of damaged entries: their bytes differ from those that were stored.
        package var torn = 0
        /// The number of damaged entries that were removed.
        package var removed = 0
        /// The bytes of the undamaged entries.
        package var bytes = 0
    }

    /// The size according to the counter that stores and removals update. Changes by other processes are included after
    /// the next count. Constant time.
    public var usage: Statistics {
        counter.withLock {
            Statistics(
                entries: max(0, $0.count), bytes: max(0, $0.bytes), pinnedBytes: max(0, $0.pinnedBytes),
                isComplete: $0.isKnown)
        }
    }

    /// Counts the entries and their bytes. Linear in the number of entries.
    public func statistics() async -> Statistics {
        await upkeep.run {
            guard let entries = try? self.existing(), let list = self.scan(entries) else { return Statistics() }
            let pinned = entries.pinned(of: list)
            self.endScan(list, of: entries)
            func bytes(_ list: [DiskTrim.Entry]) -> Int { list.reduce(0) { $0 + $1.facts.byteCount } }
            return Statistics(
                entries: list.count, bytes: bytes(list), pinnedBytes: bytes(list.filter { pinned.contains($0.name) }))
        }
    }

    /// Removes expired entries. Then, if a limit is exceeded, removes more until half of the limit is left.
    /// Linear in the number of entries.
    public func trim() async {
        await upkeep.run {
            if let entries = try? self.existing() { self.trim(entries, to: .limits) }
        }
    }

    /// Removes all entries, including pinned ones, and all pins and tags.
    ///
    /// - Throws: `ImageError.unwritable` if the folder cannot be read, or if an entry cannot be removed. All others are
    ///   removed then.
    public func removeAll() async throws(ImageError) {
        try await upkeep.run { () throws(ImageError) in
            guard let entries = try self.existing(failingAs: ImageError.unwritable) else { return }
            let list: [DiskTrim.Entry]
            do throws(SystemError) { list = try entries.list() } catch {
                throw .unwritable(path: self.folder, error)
            }
            var failure: ImageError?
            for entry in list {
                do throws(ImageError) { try self.remove(entry.name, from: entries) } catch {
                    failure = failure ?? error
                }
            }
            self.changes.withLock { _ in
                entries.removeMarks()
                self.counter.withLock { $0.countPinned(bytes: -$0.pinnedBytes, count: -$0.pinnedCount) }
            }
            for folder in Set(list.map(\.name).filter { $0.contains("/") }.map { String($0.prefix(2)) }) {
                entries.folder.removeEmptyFolder(folder)
            }
            if let failure { throw failure }
        }
    }

    /// Reads every entry, and removes the damaged ones.
    package func verify() async -> Verification {
        await upkeep.run {
            var result = Verification()
            guard let entries = try? self.existing() else { return result }
            for entry in (try? entries.list()) ?? [] {
                // A check is not a use of the entry, but the system may record it as an access.
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

    /// Waits until deferred work is done, for example the first count.
    package func settle() async { await upkeep.settle() }

    // MARK: - Trimming

    /// The condition that ends a trim.
    enum TrimGoal: Equatable {
        /// The limits are met.
        case limits
        /// A full disk has room for this many bytes. Removes half of the entries' bytes, or more if needed; nothing if
        /// removing all would not be enough.
        case room(Int)
        /// This many bytes are free on the file system. Removes nothing if removing all would not be enough.
        case free(Int)
    }

    /// Trims after a store if a limit is exceeded. Counts the entries if they were never counted, or if other processes
    /// may have stored entries.
    ///
    /// - Parameter started: The time when the store began, in seconds since 1970. The trim compares ages with it, so
    ///   that the new entry stays even if the maximum age is zero.
    func keepLimits(_ entries: DiskEntries, started: Double) async {
        if isOverLimit {
            await upkeep.run {
                // The trim after another store may have been enough.
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
        counter.withLock {
            DiskTrim(limits: configuration, now: 0)
                .isOver(bytes: $0.bytes - $0.pinnedBytes, count: $0.count - $0.pinnedCount)
        }
    }

    /// Counts the entries, removes expired ones, and then others until the goal is reached. Blocks. Linear in the
    /// number of entries.
    func trim(_ entries: DiskEntries, to goal: TrimGoal, asOf now: Double = Date().timeIntervalSince1970) {
        guard let list = scan(entries) else { return }
        let trim = DiskTrim(limits: configuration, now: now)
        let pinned = entries.pinned(of: list)
        let plan = trim.plan(list.filter { !pinned.contains($0.name) })
        var kept = plan.expired.filter { !remove($0, from: entries) }
        var bytes = plan.bytes
        var count = plan.rest.count
        let free = entries.folder.freeBytes ?? .max
        let isReached = { [wasOver = trim.isOver(bytes: bytes, count: count)] in
            switch goal {
            case .limits: !wasOver || trim.isEnough(bytes: bytes, count: count)
            case .room(let wanted): plan.bytes < wanted || bytes <= min(plan.bytes / 2, plan.bytes - wanted)
            case .free(let wanted): plan.bytes < wanted - free || (entries.folder.freeBytes ?? wanted) >= wanted
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
        endScan(list.filter { pinned.contains($0.name) } + kept + rest, of: entries)
    }

    /// Removes a listed entry unless it has been replaced since. Returns whether it no longer exists.
    private func remove(_ entry: DiskTrim.Entry, from entries: DiskEntries) -> Bool {
        changes.withLock { _ in
            guard entries.removeUnchanged(entry) else { return false }
            counter.withLock { $0.countTrim(bytes: entry.facts.byteCount) }
            return true
        }
    }

    /// Lists all entries for `endScan`. Returns `nil` if the folder cannot be listed.
    func scan(_ entries: DiskEntries) -> [DiskTrim.Entry]? {
        counter.withLock { $0.beginScan() }
        if let list = try? entries.list() { return list }
        counter.withLock { $0.abandonScan() }
        return nil
    }

    /// Sets the counter to the size of a listing, with the changes since.
    func endScan(_ listing: [DiskTrim.Entry], of entries: DiskEntries) {
        changes.withLock { _ in
            var usage = counter.withLock { $0 }
            let changed = usage.changed ?? []
            let pinned = entries.pinned(of: listing).subtracting(changed).union(changed.filter { entries.isPinned($0) })
            usage.endScan(listing, pinned: pinned) { entries.size(of: $0) }
            counter.withLock { $0 = usage }
        }
    }
}
