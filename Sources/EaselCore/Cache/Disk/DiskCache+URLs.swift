public import EaselFoundation
import Synchronization

/// Operations on all entries of a URL: removal, pins, tags and leases.
extension DiskCache {
    /// Removes all entries of a URL, its pin and its tags. The time does not depend on the number of other entries.
    ///
    /// - Throws: `ImageError.unwritable` if one cannot be removed.
    func removeAll(of key: CacheKey) async throws(ImageError) {
        try await WorkerPool.writes.run { () throws(ImageError) in
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return }
            for name in entries.names(ofURL: key) { try remove(name, from: entries) }
            entries.removeMarks(of: key)
        }
    }

    /// Sets a mark on a URL. It also applies to entries that are stored later.
    ///
    /// - Throws: `ImageError.unwritable`, also if the limit of pinned bytes would be exceeded.
    func set(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        let isSet = await WorkerPool.reads.run { (try? existing())?.has(mark, source) == true }
        if isSet { return }
        try await WorkerPool.writes.run { () throws(ImageError) in
            let entries: DiskEntries
            do throws(SystemError) { entries = try open(creating: true) } catch {
                throw .unwritable(path: folder, reason: error.reason)
            }
            guard mark == .pin else { return try entries.set(mark, source) }
            try changes.withLock { _ throws(ImageError) in
                if entries.has(mark, source) { return }
                let counted = counter.withLock { $0.isKnown ? $0.pinnedBytes : nil }
                let pinned =
                    counted ?? entries.urls(with: .pin).flatMap { entries.sizes(of: $0.source.key) }.reduce(0, +)
                let sizes = entries.sizes(of: source.key)
                let limit = configuration.maximumPinnedBytes.bytes
                guard pinned + sizes.reduce(0, +) <= limit else {
                    throw .unwritable(
                        path: entries.path(mark.folder), reason: "pinned files would take more than \(limit) bytes")
                }
                try entries.set(mark, source)
                counter.withLock { $0.countPinned(bytes: sizes.reduce(0, +), count: sizes.count) }
            }
        }
    }

    func remove(_ mark: CacheMark, _ source: CachedURL) async throws(ImageError) {
        try await WorkerPool.writes.run { () throws(ImageError) in
            guard let entries = try existing(failingAs: ImageError.unwritable) else { return }
            try changes.withLock { _ throws(ImageError) in
                guard entries.has(mark, source) else { return }
                try entries.remove(mark, source.key)
                guard mark == .pin else { return }
                let sizes = entries.sizes(of: source.key)
                counter.withLock { $0.countPinned(bytes: -sizes.reduce(0, +), count: -sizes.count) }
            }
        }
    }

    /// Returns the URLs with a mark in the order in which they were marked.
    ///
    /// - Throws: `ImageError.unreadable`.
    func urls(with mark: CacheMark) async throws(ImageError) -> [CachedURL] {
        try await WorkerPool.reads.run { () throws(ImageError) in
            try existing()?.urls(with: mark).map(\.source) ?? []
        }
    }

    /// The cached files of one URL.
    package struct Listing: Sendable {
        /// `nil` if only variants are cached, the entry is encrypted, or another program stored it.
        package var url: String?
        /// The path of a file in the folder; `nil` for a pinned URL without files.
        package var name: String?
        package var bytes: Int
        package var isPinned: Bool
    }

    /// Lists the URLs that have entries or are pinned.
    ///
    /// - Throws: `ImageError.unreadable`.
    package func list() async throws(ImageError) -> [Listing] {
        try await WorkerPool.reads.run { () throws(ImageError) in
            guard let entries = try existing() else { return [] }
            var files: [DiskTrim.Entry] = []
            do throws(SystemError) { files = try entries.list() } catch {
                throw .unreadable(path: folder, reason: error.reason)
            }
            let groups = Dictionary(grouping: files) { DiskEntries.urlDigest(in: $0.name) }
            let pins = entries.urls(with: .pin).map(\.source)
            let pinned = Dictionary(pins.map { (Substring($0.key.urlDigest.text), $0.url.absoluteString) }) {
                first, _ in first
            }
            let listed = groups.map { digest, files in
                let names = files.map(\.name).sorted { ($0.count, $0) < ($1.count, $1) }
                return Listing(
                    url: pinned[digest]
                        ?? names.lazy.compactMap { entries.metadata(ofEntry: $0)?.fields[CacheMetadata.url] }.first,
                    name: names.first, bytes: files.reduce(0) { $0 + $1.facts.byteCount },
                    isPinned: pinned[digest] != nil)
            }
            let missing = pins.filter { groups[Substring($0.key.urlDigest.text)] == nil }
                .map { Listing(url: $0.url.absoluteString, name: nil, bytes: 0, isPinned: true) }
            return (listed + missing).sorted { ($0.url ?? "", $0.name ?? "") < ($1.url ?? "", $1.name ?? "") }
        }
    }

    /// Removes the tags of URLs that have no entries in these caches. Blocks.
    func pruneTags(usedIn caches: [DiskCache]) {
        var used: Set<Substring> = []
        for cache in caches {
            guard let entries = try? cache.existing() else { continue }
            guard let names = try? entries.names() else { return }
            used.formUnion(names.map { DiskEntries.urlDigest(in: $0) })
        }
        if let entries = try? existing() { entries.pruneTags(keeping: used) }
    }

    /// Returns a lease of the entry's file, or `nil` if there is no undamaged entry.
    ///
    /// - Throws: `ImageError.unreadable`; `.unsupported` for an encrypted cache; `.unwritable`.
    func lease(_ key: CacheKey) async throws(ImageError) -> FileLease? {
        guard configuration.encryption == nil else {
            throw .unsupported("The cache is encrypted: other programs cannot open its files.")
        }
        return try await WorkerPool.reads.run { () throws(ImageError) in
            var found = try existing()?.read(key)
            if found == nil { found = try readElsewhere(key) }
            guard let data = found?.data else { return nil }
            do throws(SystemError) {
                let entries = try open(creating: true)
                return try FileLease(of: key, data, in: entries) { self.upkeep.begin($0) }
            } catch {
                throw .unwritable(path: folder, reason: error.reason)
            }
        }
    }
}

/// A lease of a cached file. No trim and no removal deletes the file until the last reference to the lease is released.
public final class FileLease: Sendable {
    static let folder = "leases"

    /// The file, with the extension of its format. Other programs may read it, but must not change it.
    public let url: URL
    /// Locked while the lease is held. The system unlocks it if the process ends.
    private let file: OpenFile
    private let end: @Sendable () -> Void

    /// Creates a hard link to the entry's file, or a copy if the file system has no hard links or the record follows
    /// the payload.
    init(
        of key: CacheKey, _ data: Data, in entries: DiskEntries,
        ending: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) throws(SystemError) {
        let format = data.withUnsafeBytes { bytes in ImageFormat.known.first { $0.matches(bytes) } }
        let suffix = format?.fileExtension ?? key.fileExtension
        let name = "\(Self.folder)/\(UUID().uuidString)" + (suffix.isEmpty ? "" : "." + suffix)
        let folder = entries.folder
        url = URL(fileURLWithPath: entries.path(name))
        end = { ending { _ = try? folder.remove(name) } }
        file = try entries.link(key, data, as: name)
    }

    deinit { end() }
}

extension DiskEntries {
    /// Links the entry's file, or a copy, to a lease. The file is locked before it has the name. If the file system has
    /// no locks, it stays for a day.
    fileprivate func link(_ key: CacheKey, _ data: Data, as name: String) throws(SystemError) -> OpenFile {
        folder.makeFolders(of: name)
        for entry in Self.names(of: key) {
            guard let file = try? folder.open(entry), let facts = try? file.facts(), facts.byteCount == data.count,
                file.lock(exclusively: false) != false, (try? folder.link(entry, as: name)) != nil
            else { continue }
            // Another file may have replaced the entry before the link.
            if folder.facts(of: name)?.number == facts.number { return file }
            _ = try? folder.remove(name)
        }
        var copy = try NewFile(in: folder)
        try copy.append(data)
        _ = copy.file.lock(exclusively: false)
        try publish(&copy, as: name)
        guard let file = try folder.open(name) else { throw .missing }
        _ = file.lock(exclusively: false)
        return file
    }

    /// Removes the leases of processes that have ended.
    func removeDeadLeases() {
        for name in (try? folder.names(in: FileLease.folder)) ?? [] {
            folder.removeIfUnlocked(FileLease.folder + "/" + name)
        }
    }
}
