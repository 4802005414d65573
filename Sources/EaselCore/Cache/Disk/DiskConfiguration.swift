public import EaselFoundation

extension DiskCache {
    /// The limits of a disk cache, and how its files are read and written.
    public struct Configuration: Sendable {
        /// The maximum size of all entries. 512 MB by default; 0 or less means no limit. A store that exceeds the limit
        /// removes entries until half of it is left.
        public var maximumBytes: ByteCount
        /// The maximum size of pinned entries, in addition to `maximumBytes`. 256 MB by default. If they exceed it, the
        /// entries that were pinned last are treated as unpinned.
        public var maximumPinnedBytes: ByteCount = .megabytes(256)
        /// The maximum number of entries. 0, the default, means no limit.
        public var maximumCount = 0
        /// The bytes of the file system that stay free. 0 by default. A store that would leave less removes entries.
        public var minimumFreeBytes: ByteCount = 0
        /// The maximum age of an entry, counted from the date that `expiration` selects. 30 days by default. With zero,
        /// entries expire at the next trim.
        public var maximumAge: Age
        /// The date from which an entry's age counts. The last use by default.
        public var expiration = Expiration.access
        /// Which entries are removed first. By default the oldest according to `expiration`.
        public var eviction = Eviction.oldest
        /// The share of an exceeded limit that is left after a trim. 0.5 by default, so that not every store trims.
        package var keptShare = 0.5

        /// Whether a store waits until the entry is on the disk. Off by default: an entry survives a crash of the
        /// process either way. A power failure can lose the entries of the last seconds, but a damaged entry is always
        /// detected.
        public var isDurable = false
        /// Encrypts payloads and metadata. With `nil`, the default, other programs can open the files.
        public var encryption: (any DiskEncryption)?

        /// Folders that are searched after the cache's folder, in this order, and never changed. In each, the file name
        /// may have an extension or none.
        public var readOnlyFolders: [String] = []
        /// Returns the path of a file to read if no folder has an entry.
        public var additionalPath: (@Sendable (CacheKey) -> String?)?
        /// Moves the files of another version or another program, for example with `DiskCache.moveEntries`. Called
        /// once, before the cache first opens its folder, on a thread that may block. All calls of the cache wait for
        /// it, so it must not use the cache.
        public var migrate: (@Sendable (_ folder: String) -> Void)?

        /// Creates a configuration with these limits and the defaults of the other properties.
        public init(maximumBytes: ByteCount = .megabytes(512), maximumAge: Age = .days(30)) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
        }

        /// The seconds after which a hit updates an entry's access date again: an hour, or less for a short
        /// `maximumAge`. Most hits write nothing.
        var touchInterval: Double {
            maximumAge.duration > .zero ? min(3600, maximumAge.duration.seconds / 10) : 3600
        }
    }

    /// The maximum age of entries.
    public struct Age: Sendable, Hashable {
        let duration: Duration

        /// Creates an age. A negative duration means that entries never expire.
        public init(_ duration: Duration) { self.duration = duration }

        /// No limit: entries never expire.
        public static let forever = Age(.seconds(-1))
        /// An age in seconds.
        package static func seconds(_ count: Int) -> Age { Age(.seconds(count)) }
        /// An age in days of 24 hours.
        public static func days(_ count: Int) -> Age { .seconds(count * 86_400) }
    }

    /// The date from which an entry's age counts.
    public enum Expiration: String, Sendable, Hashable, CaseIterable {
        /// The last use of the entry.
        case access
        /// The last store of its bytes or metadata.
        case modification
        /// The last store of its bytes.
        case creation
    }

    /// Which entries are removed first, after the expired ones.
    public enum Eviction: String, Sendable, Hashable, CaseIterable {
        /// The oldest according to `Expiration`.
        case oldest
        /// The least recently used.
        case leastRecentlyUsed
        /// The largest, so that as few as possible are removed.
        case largest
    }

    /// Moves a folder of entries to another path, for `Configuration.migrate`.
    ///
    /// If the destination does not exist, the folder itself is moved in one step. Otherwise its files are moved one by
    /// one. A file whose name is taken stays, and the source folder with it. SDWebImage and Easel use the same file
    /// names. Does nothing if `source` is not a folder, or both folders are the same. Blocks: call it from a thread
    /// that may block.
    ///
    /// - Throws: `ImageError.unwritable` if something cannot be moved, for example to another file system.
    public static func moveEntries(from source: String, to destination: String) throws(ImageError) {
        guard let from = try? Folder(path: source, creating: false) else { return }
        do throws(SystemError) {
            guard let to = try? Folder(path: destination, creating: false) else {
                return try Folder.move(source, to: destination)
            }
            guard !from.isSame(as: to) else { return }
            for name in try from.names() where from.facts(of: name)?.isFile == true && to.facts(of: name) == nil {
                try from.move(name, to: to)
            }
        } catch {
            throw .unwritable(path: destination, error)
        }
        Folder.removeEmpty(source)
    }
}

/// A cipher for the files of a disk cache, for example `AESGCM` in `EaselEncryption`.
///
/// Payloads and metadata are encrypted separately. The names, sizes and dates of the files are not hidden.
public protocol DiskEncryption: Sendable {
    /// Encrypts and authenticates bytes, so that only `open` with the same context returns them.
    ///
    /// - Parameter context: Additional authenticated data: it identifies the entry and the part that the bytes belong
    ///   to. It is neither secret nor stored.
    /// - Throws: `ImageError.unwritable`.
    func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data

    /// Returns the decrypted bytes, or `nil` if they were not encrypted with this key and context.
    func open(_ sealed: Data, context: Data) -> Data?
}
