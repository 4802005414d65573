package import EaselFoundation
import Synchronization

/// The current version of each file that this manager has loaded. Images of an older version are not shown once a newer
/// one has arrived, and the freshness of an image in memory is determined without reading the disk.
///
/// A logical clock counts events. An image has the count at which its file was read, and a replaced file has the count
/// of its replacement. The size is bounded: when a file is removed from the ledger, every image older than its
/// replacement, of any file, counts as out of date.
final class FileLedger: Sendable {
    private struct Entry {
        var version: FileVersion?
        var response: StoredResponse?
        /// The count when another version replaced it; 0 for never.
        var replaced: UInt64 = 0
    }

    private struct State {
        /// Two generations: when the younger is full it becomes the older, and files that were not used meanwhile are
        /// removed.
        var younger: [CacheKey: Entry] = [:]
        var older: [CacheKey: Entry] = [:]
        var count: UInt64 = 0
        /// The last replacement of a file that was removed.
        var floor: UInt64 = 0

        func entry(_ key: CacheKey) -> Entry? { younger[key] ?? older[key] }

        mutating func advance() -> UInt64 {
            count += 1
            return count
        }

        mutating func set(_ entry: Entry, _ key: CacheKey, capacity: Int) {
            younger[key] = entry
            older[key] = nil
            guard younger.count >= capacity else { return }
            floor = max(floor, older.values.map(\.replaced).max() ?? 0)
            (older, younger) = (younger, [:])
        }
    }

    private let state = Mutex(State())
    private let capacity: Int
    /// Whether any image can be out of date. Read by every memory hit: most processes never replace a file.
    private let isAnyReplaced = Atomic(false)

    /// - Parameter capacity: The number of files; there may be up to twice as many.
    init(capacity: Int = 2048) {
        self.capacity = capacity
    }

    /// Returns whether an image shows the current version of the file of `request`.
    func isCurrent(_ image: DecodedImage, _ request: ImageRequest) -> Bool {
        !hasReplacements || isCurrent(image.stamp, request.originalKey)
    }

    /// Returns whether an image of this stamp shows the current version of the file.
    func isCurrent(_ stamp: UInt64, _ key: CacheKey) -> Bool {
        !hasReplacements || state.withLock { stamp >= ($0.entry(key)?.replaced ?? $0.floor) }
    }

    var hasReplacements: Bool { isAnyReplaced.load(ordering: .acquiring) }

    /// Returns the next count, for a file that is about to be read.
    func stamp() -> UInt64 { state.withLock { $0.advance() } }

    func contains(_ key: CacheKey) -> Bool { state.withLock { $0.entry(key) } != nil }

    /// Returns the current version of a file, if it is known.
    func version(of key: CacheKey) -> FileVersion? { state.withLock { $0.entry(key)?.version } }

    /// Returns the response that brought the current version, or validated it last.
    func response(of key: CacheKey) -> StoredResponse? { state.withLock { $0.entry(key)?.response } }

    /// Records a file that was found in the cache. Returns `false` if it must not be used, because a newer file has
    /// arrived in the meantime and is being stored.
    func recordCached(_ provenance: Provenance, for key: CacheKey) -> Bool {
        state.withLock { state in
            var entry = state.entry(key) ?? Entry(version: provenance.version, replaced: state.floor)
            let isOlder =
                provenance.response.flatMap { found in entry.response.map { found.received < $0.received } } ?? false
            if isOlder { return entry.version == provenance.version }
            if entry.version != provenance.version, entry.version != nil { replace(&entry, &state) }
            entry.version = provenance.version
            entry.response = provenance.response ?? entry.response
            state.set(entry, key, capacity: capacity)
            return true
        }
    }

    /// Records a file that came from its server and is an image. Returns its stamp.
    ///
    /// - Parameter isRefresh: Whether another version may be cached although the ledger does not have the file.
    func accept(_ provenance: Provenance, for key: CacheKey, isRefresh: Bool) -> UInt64 {
        state.withLock { state in
            let known = state.entry(key)
            var entry = known ?? Entry(replaced: state.floor)
            let isChanged = known.map { $0.version != provenance.version } ?? isRefresh
            if isChanged { replace(&entry, &state) }
            entry.version = provenance.version
            entry.response = provenance.response
            state.set(entry, key, capacity: capacity)
            return state.advance()
        }
    }

    /// Records that the server has validated the current version.
    func confirm(_ response: StoredResponse, for key: CacheKey) {
        state.withLock { state in
            var entry = state.entry(key) ?? Entry(replaced: state.floor)
            entry.response = response
            state.set(entry, key, capacity: capacity)
        }
    }

    private func replace(_ entry: inout Entry, _ state: inout State) {
        entry.replaced = state.advance()
        isAnyReplaced.store(true, ordering: .releasing)
    }
}

/// The origin of an image's file, for caching.
struct Provenance: Sendable {
    /// The response that brought the file.
    var response: StoredResponse?
    /// `nil` for a file whose content was not read.
    var version: FileVersion?
    /// The alternative that it comes from; `nil` for the request's own URL.
    var alternative: URL?
    /// The time of the file, by the clock of `FileLedger`.
    var stamp: UInt64 = 0
    /// Whether the request's policy allows caching it (RFC 9111 3).
    var mayBeKept = true

    /// Creates the provenance of a file that was just loaded, or that is unknown.
    init(response: StoredResponse? = nil) {
        self.response = response
    }

    /// Creates the provenance of a cached file.
    init(_ metadata: CacheMetadata, stamp: UInt64) {
        response = StoredResponse(metadata: metadata.fields)
        version = FileVersion(metadata: metadata.fields)
        alternative = metadata.fields[CacheMetadata.alternative].flatMap { URL(string: $0) }
        self.stamp = stamp
    }

    /// Stored with the file, and with images made from it.
    var metadata: CacheMetadata {
        var fields = (response?.metadata ?? [:]).merging(version?.metadata ?? [:]) { $1 }
        fields[CacheMetadata.alternative] = alternative?.textWithoutUserAndFragment
        return CacheMetadata(fields: fields)
    }
}

/// A version of the content of a URL: its length and checksum. Forgery does not matter: the server that could forge one
/// sends the image.
package struct FileVersion: Sendable, Hashable {
    private static let field = "file-version"
    package let text: String

    package init(of data: Data) {
        text = "\(data.count)-" + String(data.withUnsafeBytes(CRC32C.checksum), radix: 16)
    }

    init?(metadata: [String: String]) {
        guard let text = metadata[Self.field] else { return nil }
        self.text = text
    }

    var metadata: [String: String] { [Self.field: text] }
}
