import EaselFoundation

/// Which version of each file is the current one, as far as this process has seen, so that no image of an older one is
/// shown once a newer has come, and so that an image in memory is known to be fresh without asking the disk.
///
/// A pure value with a logical clock, which counts events. An image carries the count at which its file was there;
/// a file that is replaced remembers the count of that. All is bounded: when a file is forgotten, every image older than
/// its replacement, of any file, counts as out of date.
struct FileLedger {
    private struct Entry {
        var version: FileVersion?
        var response: StoredResponse?
        /// When another version took its place; 0 for never.
        var replaced: UInt64 = 0
    }

    /// Two generations: when the younger is full, it becomes the older, and what nobody asked for meanwhile is forgotten.
    private var younger: [CacheKey: Entry] = [:]
    private var older: [CacheKey: Entry] = [:]
    private let capacity: Int
    private var count: UInt64 = 0
    /// The last replacement of a file that is forgotten.
    private var floor: UInt64 = 0

    /// - Parameter capacity: files that are remembered; up to twice as many may be.
    init(capacity: Int = 2048) {
        self.capacity = capacity
    }

    /// Whether any image can be out of date. Until then, no lookup is needed.
    private(set) var hasReplacements = false

    /// The present count, for a file that is about to be read.
    mutating func stamp() -> UInt64 {
        count += 1
        return count
    }

    /// Whether an image of this stamp shows the file as it is.
    func isCurrent(_ stamp: UInt64, _ key: CacheKey) -> Bool {
        guard hasReplacements else { return true }
        return stamp >= (entry(key)?.replaced ?? floor)
    }

    /// Whether anything is known of a file.
    func knows(_ key: CacheKey) -> Bool { entry(key) != nil }

    /// The version of a file that is current, where it is known.
    func version(of key: CacheKey) -> FileVersion? { entry(key)?.version }

    /// The answer that brought the current version, or confirmed it last.
    func response(of key: CacheKey) -> StoredResponse? { entry(key)?.response }

    /// A file was found in the cache. Returns whether it may be used: one that is older than what has come meanwhile, and
    /// is being stored, may not.
    mutating func found(_ provenance: Provenance, for key: CacheKey) -> Bool {
        guard var entry = entry(key) else {
            set(Entry(version: provenance.version, response: provenance.response, replaced: floor), key)
            return true
        }
        let isOlder =
            provenance.response.flatMap { found in entry.response.map { found.received < $0.received } } ?? false
        if entry.version == provenance.version {
            if isOlder { return true }
        } else {
            if isOlder { return false }
            if entry.version != nil { replace(&entry) }
        }
        entry.version = provenance.version
        entry.response = provenance.response ?? entry.response
        set(entry, key)
        return true
    }

    /// A file came from its server and proved to be an image. Returns its stamp.
    ///
    /// - Parameter isRefresh: whether something else may have been kept, although nothing is known of it.
    mutating func accept(_ provenance: Provenance, for key: CacheKey, isRefresh: Bool) -> UInt64 {
        var entry = entry(key) ?? Entry(replaced: floor)
        let isChanged = knows(key) ? entry.version != provenance.version : isRefresh
        if isChanged { replace(&entry) }
        entry.version = provenance.version
        entry.response = provenance.response
        set(entry, key)
        return stamp()
    }

    /// The server has confirmed the current version.
    mutating func confirm(_ response: StoredResponse, for key: CacheKey) {
        var entry = entry(key) ?? Entry(replaced: floor)
        entry.response = response
        set(entry, key)
    }

    private func entry(_ key: CacheKey) -> Entry? { younger[key] ?? older[key] }

    private mutating func replace(_ entry: inout Entry) {
        entry.replaced = stamp()
        hasReplacements = true
    }

    private mutating func set(_ entry: Entry, _ key: CacheKey) {
        younger[key] = entry
        older[key] = nil
        guard younger.count >= capacity else { return }
        floor = max(floor, older.values.map(\.replaced).max() ?? 0)
        (older, younger) = (younger, [:])
    }
}
