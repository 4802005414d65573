import Synchronization

/// What a cache holds, and removing more than one entry of it.
extension DiskCache {
    /// What a cache holds.
    public struct Statistics: Sendable, Hashable, Codable {
        /// The number of entries.
        public var entries: Int
        /// The bytes of their files.
        public var bytes: Int
    }

    /// What a cache knows of its size without asking the disk.
    public struct Usage: Sendable, Hashable {
        /// The number of entries.
        public var entries: Int
        /// The bytes of their files.
        public var bytes: Int
        /// Whether everything was counted. Until the first count is over, soon after the first store, there may be more.
        public var isComplete: Bool
    }

    /// What a check of every entry found.
    public struct Verification: Sendable, Hashable, Codable {
        /// Entries that were read.
        public var entries: Int
        /// Entries whose bytes are not those that were stored.
        public var torn: Int
        /// Torn entries that could be removed.
        public var removed: Int
        /// The bytes of the sound entries.
        public var bytes: Int
    }

    /// The size by the counter that stores and removals keep: at once, whatever the number of entries. Other processes'
    /// changes are known after the next count.
    public var usage: Usage {
        counter.withLock { Usage(entries: max(0, $0.count), bytes: max(0, $0.bytes), isComplete: $0.isKnown) }
    }

    /// Counts the entries and their bytes. Linear in the number of entries.
    public func statistics() async -> Statistics {
        await inventory(otherwise: Statistics(entries: 0, bytes: 0)) { cache, entries in
            guard let list = cache.scan(entries) else { return Statistics(entries: 0, bytes: 0) }
            cache.endScan(list, of: entries)
            return Statistics(entries: list.count, bytes: list.reduce(0) { $0 + $1.facts.byteCount })
        }
    }

    /// Removes entries that are too old and then, where a limit is passed, as many as it takes until the share that is
    /// kept is left (S132 to S134, X105). Linear in the number of entries.
    public func trim() async {
        await inventory(otherwise: ()) { cache, entries in cache.trim(entries, to: .limits) }
    }

    /// Removes every entry.
    ///
    /// - Throws: `ImageError.unwritable` where one cannot be removed; all others are gone then. The same where the folder
    ///   cannot be read.
    public func removeAll() async throws(ImageError) {
        if let failure = await upkeep.run({ self.removeEverything() }) { throw failure }
    }

    /// Removes every entry that can be removed, and returns why one could not.
    private func removeEverything() -> ImageError? {
        do throws(ImageError) {
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return nil }
            var failure: ImageError?
            for entry in try list(entries) {
                do throws(ImageError) { try remove(entry.name, from: entries) } catch { failure = failure ?? error }
            }
            return failure
        } catch {
            return error
        }
    }

    private func list(_ entries: DiskEntries) throws(ImageError) -> [DiskTrim.Entry] {
        do throws(SystemError) { return try entries.list() } catch {
            throw .unwritable(path: folder, reason: error.reason)
        }
    }

    /// Reads every entry and removes those whose bytes are not the ones that were stored.
    public func verify() async -> Verification {
        await inventory(otherwise: Verification(entries: 0, torn: 0, removed: 0, bytes: 0)) { cache, entries in
            var result = Verification(entries: 0, torn: 0, removed: 0, bytes: 0)
            for entry in (try? entries.list()) ?? [] {
                // A check is no use of the entry, but reading it may count as one for the system.
                defer { entries.touch(entry.name, accessed: entry.facts.accessed) }
                guard let isSound = entries.isSound(entry.name) else { continue }
                result.entries += 1
                if isSound {
                    result.bytes += entry.facts.byteCount
                } else {
                    result.torn += 1
                    if cache.remove(entry, from: entries) { result.removed += 1 }
                }
            }
            return result
        }
    }

    /// Returns when what stores have begun behind their callers' backs, a first count say, is over.
    public func settle() async {
        await upkeep.settle()
    }

    /// A folder that is missing or cannot be opened holds nothing: that is no error for those who only ask.
    private func inventory<Value: Sendable>(
        otherwise nothing: Value, _ body: @escaping @Sendable (DiskCache, DiskEntries) -> Value
    ) async -> Value {
        await upkeep.run {
            guard let entries = try? self.existing() else { return nothing }
            return body(self, entries)
        }
    }
}
