public import EaselFoundation
import Synchronization

/// Bytes under keys in one flat folder that is its own index.
///
/// An entry is one file with the payload as it came, so that other programs can open it, written before it
/// has its name: a reader sees the whole of an entry or none of it, whatever happens to the writer. Its length,
/// its checksum and its metadata travel with it in an extended attribute, or behind the payload where the file system has
/// no attributes; an entry that does not match them is a miss and is removed.
///
/// What is in the system's page cache is read at once; all other calls run on Easel's file threads and never block the
/// caller's. Several caches, in several processes, may share a folder.
public final class DiskCache: Sendable {
    /// The folder of this cache.
    public let folder: String
    /// How much is kept, for how long, and how.
    public let configuration: Configuration
    private let location: Mutex<DiskLocation>
    /// Held while a file gets or loses its name, so that the counter follows exactly; never while bytes are written.
    let counter = Mutex(DiskUsage())
    let upkeep = DiskUpkeep()

    /// A cache in `folder`, which is made when the first entry is stored. No file is touched before.
    public init(folder: String, configuration: Configuration = Configuration()) {
        self.folder = folder
        self.configuration = configuration
        location = Mutex(DiskLocation(path: folder, settings: configuration))
    }

    /// A cache in the folder at a `file:` URL.
    public convenience init(folder: URL, configuration: Configuration = Configuration()) {
        self.init(folder: folder.path, configuration: configuration)
    }

    // MARK: - Reading

    /// The bytes stored for `key`, or `nil`. Counts as a use.
    ///
    /// - Throws: `ImageError.unreadable` for an entry that is there but cannot be read (B32).
    nonisolated(nonsending) public func data(for key: CacheKey) async throws(ImageError) -> Data? {
        try await file(for: key)?.data
    }

    /// The bytes stored for `key` and their metadata, or `nil`. Counts as a use.
    ///
    /// - Throws: `ImageError.unreadable` for an entry that is there but cannot be read (B32).
    nonisolated(nonsending) public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        if isKnownMissing(key) { return nil }
        if let file = residentFile(for: key) { return file }
        return try await WorkerPool.reads.run { () throws(ImageError) in
            if let entries = try existing() {
                if let file = try entries.read(key) { return file }
                learnNames(of: entries)
            }
            return try readElsewhere(key)
        }
    }

    /// The entry, if the system has it in memory and it can be had without waiting; `nil` says nothing of the disk.
    ///
    /// Never blocks, for use where something is about to be drawn. Counts as a use.
    public func residentFile(for key: CacheKey) -> CachedFile? {
        guard let entries = opened(), let (file, name, isTouchDue) = entries.readCached(key) else { return nil }
        if isTouchDue { upkeep.begin { entries.touch(name) } }
        return file
    }

    /// Whether there is no entry, as far as that is known. Never blocks.
    func isKnownMissing(_ key: CacheKey) -> Bool {
        guard !readsElsewhere else { return false }
        if let entries = opened() { return entries.isKnownMissing(key) }
        return location.withLockIfAvailable { $0.isKnownMissing } ?? false
    }

    /// After a miss: has the folder listed behind the caller's back, so that nobody has to ask it for what it has not. Most of
    /// what is loaded for the first time is asked for under three names.
    func learnNames(of entries: DiskEntries) {
        guard !readsElsewhere, let listing = entries.beginListing() else { return }
        upkeep.begin { entries.make(listing) }
    }

    /// What is kept beside an entry's bytes, which are not read; `nil` where there is no entry. No use of it.
    ///
    /// - Throws: `ImageError.unreadable`.
    nonisolated(nonsending) public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        if isKnownMissing(key) { return nil }
        if let entries = opened(), let metadata = entries.metadataCached(key) { return metadata }
        return try await WorkerPool.reads.run { () throws(ImageError) in
            if let entries = try existing() {
                if let metadata = try entries.metadata(key) { return metadata }
                learnNames(of: entries)
            }
            return try readElsewhere(key)?.metadata
        }
    }

    /// Whether `file(for:)` would find something. Bytes are not read, and it does not count as a use.
    nonisolated(nonsending) public func contains(_ key: CacheKey) async -> Bool {
        if isKnownMissing(key) { return false }
        if let resident = opened()?.containsCached(key), resident || !readsElsewhere { return resident }
        return await path(for: key) != nil
    }

    /// Where the entry's file is, or `nil` where there is none. Another program may read it but must not change it; the
    /// cache may remove it at any time. Where the file system has no attributes, a record follows the payload.
    public func path(for key: CacheKey) async -> String? {
        if isKnownMissing(key) { return nil }
        return await WorkerPool.reads.run {
            if let entries = try? existing() {
                if let path = entries.path(of: key) { return path }
                learnNames(of: entries)
            }
            return pathElsewhere(key)
        }
    }

    // MARK: - Writing

    /// Stores bytes, in place of what is there. A store that passes a limit returns after the trim.
    ///
    /// - Throws: `ImageError.unwritable`; what was stored for the key before is still there then.
    public func store(
        _ data: Data, metadata: CacheMetadata = CacheMetadata(), for key: CacheKey
    ) async throws(ImageError) {
        let attempt = try await WorkerPool.writes.run { () throws(ImageError) in
            try write(data, metadata, for: key)
        }
        try await finish(attempt)
    }

    /// Replaces what is kept beside an entry's bytes, and leaves the bytes. Does nothing where there is no entry.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        let attempt = try await WorkerPool.writes.run { () throws(ImageError) -> WriteAttempt? in
            guard let entries = try existing(failingAs: ImageError.unwritable),
                let (name, sealed) = try entries.setMetadata(metadata, for: key)
            else { return nil }
            return try write(sealed, as: name, in: entries)
        }
        // With the folder the entry has gone, and there is nothing to replace.
        if let attempt, attempt.result != .gone { try await finish(attempt) }
    }

    /// Removes what is stored for `key`, under its name with and without extension (S123; X103 is not copied).
    ///
    /// - Throws: `ImageError.unwritable` where it cannot be removed.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        try await WorkerPool.writes.run { () throws(ImageError) in
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return }
            for name in DiskEntries.names(of: key) { try remove(name, from: entries) }
        }
    }

    // MARK: - The folder

    /// The folder, if it is open and was looked at a short while ago. Never blocks: one that is being opened on another
    /// thread counts as not open.
    func opened() -> DiskEntries? {
        location.withLockIfAvailable { $0.opened() }.flatMap(\.self)
    }

    /// The folder, open, or `nil` where there is none: that is no error for those who only ask. Blocks.
    ///
    /// - Throws: `ImageError.unreadable`, or what is asked for, where it cannot be opened: what it holds is not known (B32).
    func existing(
        failingAs failure: (String, String) -> ImageError = ImageError.unreadable
    ) throws(ImageError) -> DiskEntries? {
        do throws(SystemError) { return try open(creating: false) } catch {
            if error.isMissing { return nil }
            throw failure(folder, error.reason)
        }
    }

    /// The folder, open, and made where it is missing. Blocks.
    func made() throws(ImageError) -> DiskEntries {
        var attempts = 0
        while true {
            do throws(SystemError) { return try open(creating: true) } catch {
                // It may be removed between its making and its opening.
                attempts += 1
                if !error.isMissing || attempts == Self.patience {
                    throw .unwritable(path: folder, reason: error.reason)
                }
            }
        }
    }

    /// How often the folder may be removed under one store.
    static let patience = 20

    private func open(creating: Bool) throws(SystemError) -> DiskEntries {
        let (entries, isAnother) = try location.withLock { location throws(SystemError) in
            try location.open(creating: creating)
        }
        // What was counted of another folder says nothing of this one.
        if isAnother { counter.withLock { $0.reset() } }
        return entries
    }

    private var readsElsewhere: Bool {
        !configuration.readOnlyFolders.isEmpty || configuration.additionalPath != nil
    }

    private func readElsewhere(_ key: CacheKey) throws(ImageError) -> CachedFile? {
        guard readsElsewhere else { return nil }
        for folder in location.withLock({ $0.readOnlyFolders() }) {
            if let file = try folder.read(key, isOurs: false) { return file }
        }
        guard let path = configuration.additionalPath?(key) else { return nil }
        do throws(SystemError) {
            return CachedFile(data: try readFile(path, limit: .max))
        } catch {
            if error.isMissing { return nil }
            throw .unreadable(path: path, reason: error.reason)
        }
    }

    private func pathElsewhere(_ key: CacheKey) -> String? {
        guard readsElsewhere else { return nil }
        let folders = location.withLock { $0.readOnlyFolders() }
        return folders.lazy.compactMap { $0.path(of: key) }.first
            ?? configuration.additionalPath?(key).flatMap { FileFacts(path: $0)?.isFile == true ? $0 : nil }
    }
}
