#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Synchronization

/// Bytes under keys in one flat folder that is its own index.
///
/// An entry is one file with the payload as it came, so that other programs can open it, written under a temporary
/// name and then renamed: a reader sees the whole of an entry or none of it, whatever happens to the writer. Its length
/// and checksum travel with it; an entry that does not match them is a miss and is removed.
///
/// Calls run on Easel's file threads and never block the caller's. Several caches, in several processes, may share a folder.
public final class DiskCache: Sendable {
    /// How much is kept, and for how long.
    public struct Configuration: Sendable, Hashable {
        /// The most bytes of all entries: 512 MB. When a store goes over it, the least recently used entries go until
        /// half is left (S134, S183). 0 or less sets no limit.
        public var maximumBytes: Int
        /// How long an entry lives after its last use: 30 days. Negative is for ever (X071).
        public var maximumAge: Duration

        /// Limits; the defaults are those named above.
        public init(maximumBytes: Int = .megabytes(512), maximumAge: Duration = .days(30)) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
        }
    }

    /// What a cache holds.
    public struct Statistics: Sendable, Hashable, Codable {
        /// The number of entries.
        public var entries: Int
        /// The bytes of their payloads.
        public var bytes: Int
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

    /// The folder of this cache.
    public let folder: String
    private let store: Mutex<DiskStore>

    /// A cache in `folder`, which is made when the first entry is stored. No file is touched before.
    public init(folder: String, configuration: Configuration = Configuration()) {
        self.folder = folder
        store = Mutex(DiskStore(path: folder, configuration: configuration))
    }

    /// A cache in the folder at a `file:` URL.
    public convenience init(folder: URL, configuration: Configuration = Configuration()) {
        self.init(folder: folder.path, configuration: configuration)
    }

    /// The bytes stored for `key`, or `nil`. Counts as a use.
    ///
    /// - Throws: `ImageError.unreadable` for an entry that is there but cannot be read (B32).
    public func data(for key: CacheKey) async throws(ImageError) -> Data? {
        try await WorkerPool.files.run { () throws(ImageError) in
            guard let entries = try? access() else { return nil }
            return try entries.read(key)
        }
    }

    /// Stores bytes, in place of what is there.
    ///
    /// - Throws: `ImageError.unwritable`; what was stored for the key before is still there then.
    public func store(_ data: Data, for key: CacheKey) async throws(ImageError) {
        try await WorkerPool.files.run { () throws(ImageError) in
            let writing = try store.withLock { store throws(ImageError) in try store.beginWrite() }
            let replaced = try writing.perform(data, for: key)
            let excess = store.withLock { $0.didWrite(bytes: data.count, replacing: replaced) }
            if excess { trim(writing) }
        }
    }

    /// Whether something is stored for `key`. Its bytes are not read and it does not count as a use.
    public func contains(_ key: CacheKey) async -> Bool {
        await ask(otherwise: false) { $0.contains(key) }
    }

    /// Removes what is stored for `key`, under its name with and without extension (S123; X103 is not copied).
    ///
    /// - Throws: `ImageError.unwritable` where it cannot be removed.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        try await WorkerPool.files.run { () throws(ImageError) in
            guard let entries = try? access() else { return }
            let freed = try entries.remove(key)
            store.withLock { $0.didRemove(bytes: freed) }
        }
    }

    /// Removes every entry.
    ///
    /// - Throws: `ImageError.unwritable` where one cannot be removed.
    public func removeAll() async throws(ImageError) {
        try await WorkerPool.files.run { () throws(ImageError) in
            guard let entries = try? access() else { return }
            try entries.removeAll()
            store.withLock { $0.didScan(bytes: 0) }
        }
    }

    /// Removes entries that are too old and then, while all are too large, the least recently used ones until half of
    /// the limit is left (S132 to S134, X105).
    public func trim() async {
        await ask(otherwise: ()) { trim($0) }
    }

    /// Counts the entries and their bytes. Linear in the number of entries.
    public func statistics() async -> Statistics {
        await ask(otherwise: Statistics(entries: 0, bytes: 0)) { $0.statistics() }
    }

    /// Reads every entry and removes those whose bytes are not the ones that were stored.
    public func verify() async -> Verification {
        await ask(otherwise: Verification(entries: 0, torn: 0, removed: 0, bytes: 0)) { $0.verify() }
    }

    /// A folder that is missing or cannot be opened holds nothing: that is no error for those who only ask.
    private func ask<Value>(otherwise nothing: Value, _ question: (DiskEntries) -> Value) async -> Value {
        let answer: Value? = try? await WorkerPool.files.run { () throws(ImageError) in
            question(try access())
        }
        return answer ?? nothing
    }

    private func access() throws(ImageError) -> DiskEntries {
        try store.withLock { store throws(ImageError) in try store.open(creating: false) }
    }

    private func trim(_ entries: DiskEntries) {
        let remaining = entries.trim(store.withLock { $0.configuration })
        store.withLock { $0.didScan(bytes: remaining) }
    }
}
