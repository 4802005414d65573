#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Entries as memory, for those that are used in place.
extension DiskCache {
    /// An entry whose file is mapped. Its length is that of the record; its bytes have not been looked at.
    struct MappedEntry {
        let mapping: MappedBytes
        let record: DiskRecord
        let listing: DiskTrim.Entry
        let entries: DiskEntries

        /// Whether the bytes are those that were stored. Reads all of them.
        var isSound: Bool {
            guard let start = mapping.bytes.baseAddress else { return false }
            return record.matches(Data(bytesNoCopy: start, count: mapping.bytes.count, deallocator: .none))
        }
    }

    /// The entry, if all of it is in memory; `nil` says nothing of the disk. Never blocks.
    func mapResident(_ key: CacheKey) -> MappedEntry? {
        guard let entries = opened(), let entry = try? entries.map(key, mayWait: false), entry.mapping.isResident
        else { return nil }
        touchIfDue(entry) { touch in upkeep.begin(touch) }
        return entry
    }

    /// The entry. Blocks.
    func map(_ key: CacheKey) -> MappedEntry? {
        guard let entries = try? existing() else { return nil }
        guard let entry = try? entries.map(key, mayWait: true) else {
            learnNames(of: entries)
            return nil
        }
        touchIfDue(entry) { touch in touch() }
        return entry
    }

    /// Removes an entry that proved to be of no use. Blocks.
    func discard(_ entry: MappedEntry) {
        _ = remove(entry.listing, from: entry.entries)
    }

    private func touchIfDue(_ entry: MappedEntry, _ run: (@escaping @Sendable () -> Void) -> Void) {
        let idle = abs(Date().timeIntervalSince1970 - entry.listing.facts.accessed)
        guard idle > configuration.touchInterval else { return }
        run { [entries = entry.entries, name = entry.listing.name] in entries.touch(name) }
    }
}

extension DiskEntries {
    /// A file of the key's own name whose length is that of its record.
    fileprivate func map(_ key: CacheKey, mayWait: Bool) throws(SystemError) -> DiskCache.MappedEntry? {
        let name = key.fileName
        guard let file = mayWait ? try folder.open(name) : try folder.openCached(name) else { return nil }
        let facts = try file.facts()
        // What has its record behind its bytes, where the file system has no attributes, is not mapped.
        guard facts.isFile, facts.byteCount > 0, case .record(let bytes) = try Self.attribute(of: file),
            let record = DiskRecord(bytes), !record.continuesInTrailer, record.length == facts.byteCount
        else { return nil }
        return DiskCache.MappedEntry(
            mapping: try file.map(count: facts.byteCount, mayWait: mayWait), record: record,
            listing: DiskTrim.Entry(name: name, facts: facts), entries: self)
    }
}
