public import EaselFoundation

extension DiskCache {
    /// The limits of a disk cache, and how its files are read and written.
    public struct Configuration: Sendable {
        /// The most bytes of all entries: 512 MB. A store that passes the limit removes entries until `keptShare` of it is left.
        /// 0 or less sets no limit.
        public var maximumBytes: ByteCount
        /// The most entries: 0, the default, sets no limit.
        public var maximumCount = 0
        /// Bytes of the file system that stay free: 0 by default. A store that would leave less removes entries.
        public var minimumFreeBytes: ByteCount = 0
        /// How long an entry lives after the date that `expiration` names: 30 days. Zero means until the next trim.
        public var maximumAge: Age
        /// The date that an entry's age counts from: its last use.
        public var expiration = Expiration.access
        /// Which entries are removed first: the oldest by the date that `expiration` names.
        public var eviction = Eviction.oldest
        /// How much of a passed limit is left after a trim: a half, so that not every store trims.
        public var keptShare = 0.5

        /// Whether a store waits until the bytes are on the disk. Off by default: an entry survives the end of the process
        /// either way, and a loss of power may cost the entries of the last seconds but never damages one unnoticed.
        public var isDurable = false
        /// Encrypts payloads and metadata: `nil` keeps files that other programs can open.
        public var encryption: (any DiskEncryption)?

        /// Folders that are searched after the cache's folder and never changed, in this order, each for the name with and without extension.
        public var readOnlyFolders: [String] = []
        /// The path of a file to read if no folder has an entry.
        public var additionalPath: (@Sendable (CacheKey) -> String?)?
        /// Runs once before this cache first opens its folder, on a thread that may block: to move what another version or another
        /// program has left, for example with `DiskCache.moveEntries`. All calls of the cache wait for it: it must make none.
        public var migrate: (@Sendable (_ folder: String) -> Void)?

        /// Creates a configuration with these limits and the defaults named above.
        public init(maximumBytes: ByteCount = .megabytes(512), maximumAge: Age = .days(30)) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
        }

        /// An entry is touched again when its last touch is older than a tenth of its life, or an hour: most hits write nothing.
        var touchInterval: Double {
            maximumAge.duration > .zero ? min(3600, maximumAge.duration.seconds / 10) : 3600
        }
    }

    /// An age of entries.
    public struct Age: Sendable, Hashable {
        let duration: Duration

        /// Creates an age. A negative duration means forever.
        public init(_ duration: Duration) { self.duration = duration }

        /// An age that no entry reaches.
        public static let forever = Age(.seconds(-1))
        /// An age in seconds.
        public static func seconds(_ count: Int) -> Age { Age(.seconds(count)) }
        /// An age in days of 24 hours.
        public static func days(_ count: Int) -> Age { .seconds(count * 86_400) }
    }

    /// The date that an entry's age counts from.
    public enum Expiration: String, Sendable, Hashable, CaseIterable {
        /// Its last use.
        case access
        /// The last store of its bytes or its metadata.
        case modification
        /// The store of its bytes.
        case creation
    }

    /// Which entries are removed first, after those that are too old.
    public enum Eviction: String, Sendable, Hashable, CaseIterable {
        /// The oldest by the date that `Expiration` names.
        case oldest
        /// The least recently used.
        case leastRecentlyUsed
        /// The largest, so that as few as possible are removed.
        case largest
    }

    /// Moves a folder of entries to another path, for `Configuration.migrate`.
    ///
    /// If there is no destination, the folder itself is moved in one step. Else its files are moved one by one; files whose names are
    /// taken stay, and with them the folder. The files of SDWebImage and Easel have the same names. Does nothing if `source` is no
    /// folder, or both are the same. Blocks: call it from a thread that may.
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
            throw .unwritable(path: destination, reason: error.reason)
        }
        Folder.removeEmpty(source)
    }
}

/// Encrypts what is on disk.
///
/// `EaselEncryption`'s `AESGCM` is one. Payloads and metadata are sealed separately; the names of the files, their sizes and their dates
/// are not hidden.
public protocol DiskEncryption: Sendable {
    /// Seals bytes so that only `open` returns them, and only for the same context.
    ///
    /// - Parameter context: What the bytes belong to: not secret, not stored, and not to be forged.
    /// - Throws: `ImageError.unwritable`.
    func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data

    /// Returns the bytes that were sealed, or `nil` for anything that was not sealed with this key and context.
    func open(_ sealed: Data, context: Data) -> Data?
}
