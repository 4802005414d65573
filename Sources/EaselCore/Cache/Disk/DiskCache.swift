public import EaselFoundation
import Synchronization

/// A cache of files in a folder, without an index.
///
/// An entry is one file with the unchanged payload, so that other programs can open it. It is written under a temporary
/// name and then renamed: a reader sees the complete entry or none, even if the writer crashes. Its length, checksum
/// and metadata are in an extended attribute, or after the payload if the file system has no attributes. An entry that
/// does not match them is a miss and is removed.
///
/// Files in the system's page cache are read on the calling thread. All other calls run on Easel's file threads and
/// never block the caller. Several caches, also in different processes, can share a folder.
public final class DiskCache: Sendable {
    /// The folder of this cache.
    public let folder: String
    let configuration: Configuration
    private let location: Mutex<DiskLocation>
    /// Locked while a file is published, removed or pinned, so that the counter stays exact, but not while bytes are
    /// written. Locked before the counter, which is locked for arithmetic only.
    let changes = Mutex(())
    let counter = Mutex(DiskUsage())
    /// Runs the operations that read the whole folder: counts, trims and checks.
    let upkeep = SerialQueue()

    package init(folder: String, configuration: Configuration = Configuration()) {
        self.folder = folder
        self.configuration = configuration
        location = Mutex(DiskLocation(path: folder, settings: configuration))
    }

    /// Creates a cache in the folder at a `file:` URL. The folder is created when the first entry is stored.
    public convenience init(folder: URL, configuration: Configuration = Configuration()) {
        self.init(folder: folder.path, configuration: configuration)
    }

    // MARK: - Reading

    /// Returns the bytes stored for `key`, or `nil`. Counts as a use.
    ///
    /// - Throws: `ImageError.unreadable` for an entry that exists but cannot be read.
    nonisolated(nonsending) public func data(for key: CacheKey) async throws(ImageError) -> Data? {
        try await file(for: key)?.data
    }

    /// Returns the bytes stored for `key` and their metadata, or `nil`. Counts as a use.
    ///
    /// - Throws: `ImageError.unreadable` for an entry that exists but cannot be read.
    nonisolated(nonsending) public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        if let file = residentFile(for: key) { return file }
        return try await WorkerPool.reads.run { () throws(ImageError) in
            if let file = try existing()?.read(key) { return file }
            return try readElsewhere(key)
        }
    }

    /// Returns the entry if it is in the system's page cache, so that it can be read without waiting for a disk. `nil`
    /// does not mean that there is no entry.
    ///
    /// Never blocks: it can be called while a view is drawn. Counts as a use.
    public func residentFile(for key: CacheKey) -> CachedFile? {
        // If another thread is opening the folder, this one does not wait.
        guard let entries = location.withLockIfAvailable({ $0.opened() }).flatMap(\.self),
            let (file, name, isTouchDue) = entries.readCached(key)
        else { return nil }
        if isTouchDue { upkeep.begin { entries.touch(name) } }
        return file
    }

    /// Returns the metadata stored for `key`, or `nil`. Does not read the bytes, and is not a use of the entry.
    ///
    /// - Throws: `ImageError.unreadable`.
    nonisolated(nonsending) public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await WorkerPool.reads.run { () throws(ImageError) in
            if let metadata = try existing()?.metadata(key) { return metadata }
            return try readElsewhere(key)?.metadata
        }
    }

    /// Returns whether there is a file for `key`. Does not read the bytes, and is not a use of the entry.
    nonisolated(nonsending) public func contains(_ key: CacheKey) async -> Bool {
        await path(for: key) != nil
    }

    /// Returns the path of the entry's file, or `nil`. Another program may read the file but must not change it. The
    /// cache can remove it at any time. If the file system has no extended attributes, a record follows the payload.
    public func path(for key: CacheKey) async -> String? {
        await WorkerPool.reads.run {
            (try? existing())?.path(of: key) ?? pathElsewhere(key)
        }
    }

    // MARK: - Writing

    /// Stores bytes, and replaces an existing entry. A store that exceeds a limit returns after the trim.
    ///
    /// - Throws: `ImageError.unwritable`. The previous entry then still exists.
    public func store(
        _ data: Data, metadata: CacheMetadata = CacheMetadata(), for key: CacheKey
    ) async throws(ImageError) {
        let attempt = try await WorkerPool.writes.run { () throws(ImageError) in
            try write(data, metadata, for: key)
        }
        try await finish(attempt)
    }

    /// Replaces the metadata of an entry. The bytes stay the same. Does nothing if there is no entry.
    ///
    /// - Throws: `ImageError.unwritable`.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        let attempt = try await WorkerPool.writes.run { () throws(ImageError) -> WriteAttempt? in
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return nil }
            // Again if the entry is replaced meanwhile.
            for _ in 0..<20 {
                guard let (entry, sealed) = try entries.setMetadata(metadata, for: key) else { return nil }
                let attempt = try write(sealed, as: entry.name, in: entries, replacing: entry.facts)
                if attempt.result != .outdated { return attempt }
            }
            return nil
        }
        // If the folder was removed, so was the entry.
        if let attempt, attempt.result != .gone { try await finish(attempt) }
    }

    /// Removes the entry of `key`. Its file name may have an extension or none.
    ///
    /// - Throws: `ImageError.unwritable` if it cannot be removed.
    public func remove(_ key: CacheKey) async throws(ImageError) {
        try await WorkerPool.writes.run { () throws(ImageError) in
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return }
            for name in DiskEntries.names(of: key) { try remove(name, from: entries) }
        }
    }

    // MARK: - The folder

    /// Returns the open folder, or `nil` if it does not exist. Blocks.
    ///
    /// - Throws: The error that `failure` makes, by default `ImageError.unreadable`, if the folder cannot be opened.
    func existing(
        failingAs failure: (String, String) -> ImageError = ImageError.unreadable
    ) throws(ImageError) -> DiskEntries? {
        do throws(SystemError) { return try open(creating: false) } catch {
            if error.isMissing { return nil }
            throw failure(folder, error.reason)
        }
    }

    /// Opens the folder, and resets the counter if another folder has replaced it. Blocks.
    func open(creating: Bool) throws(SystemError) -> DiskEntries {
        let (entries, isAnother) = try location.withLock { location throws(SystemError) in
            try location.open(creating: creating)
        }
        if isAnother { changes.withLock { _ in counter.withLock { $0 = DiskUsage() } } }
        return entries
    }

    // MARK: - Other folders

    /// Reads the file from the read-only folders, or from the additional path.
    func readElsewhere(_ key: CacheKey) throws(ImageError) -> CachedFile? {
        for folder in readOnlyFolders {
            if let file = try folder.read(key, isWritable: false) { return file }
        }
        guard let path = configuration.additionalPath?(key) else { return nil }
        do throws(SystemError) {
            return CachedFile(data: try readFile(path, limit: .max))
        } catch {
            if error.isMissing { return nil }
            throw .unreadable(path: path, error)
        }
    }

    private func pathElsewhere(_ key: CacheKey) -> String? {
        readOnlyFolders.lazy.compactMap { $0.path(of: key) }.first
            ?? configuration.additionalPath?(key).flatMap { FileFacts(path: $0)?.isFile == true ? $0 : nil }
    }

    private var readOnlyFolders: [DiskEntries] {
        configuration.readOnlyFolders.isEmpty ? [] : location.withLock { $0.readOnlyFolders() }
    }
}
