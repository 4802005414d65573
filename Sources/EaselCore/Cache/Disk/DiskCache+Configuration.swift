extension DiskCache {
    /// How much is kept, for how long, and how.
    public struct Configuration: Sendable {
        /// The most bytes of all entries: 512 MB. When a store goes over it, entries go until `keptShare` of it is left.
        /// 0 or less sets no limit.
        public var maximumBytes: Int
        /// The most entries: 0, the default, sets no limit.
        public var maximumCount = 0
        /// Bytes of the file system that stay free for others: 0 by default. Entries go when a store would leave less.
        public var minimumFreeBytes = 0
        /// How long an entry lives after the date that `expiration` names: 30 days. Negative is for ever; zero until
        /// the next trim (X071).
        public var maximumAge: Duration
        /// What an entry's age counts from: its last use (X073).
        public var expiration = Expiration.access
        /// Which entries go first: the oldest by the date that `expiration` names, as SDWebImage does (S134, X105).
        public var eviction = Eviction.oldest
        /// How much of a limit that was passed is left afterwards: a half (S183), so that not every store trims.
        public var keptShare = 0.5

        /// Whether a store waits until the disk itself has the bytes. Off: an entry survives the end of the process
        /// either way, and a loss of power may cost the last seconds' entries but never damages one unnoticed.
        public var isDurable = false
        /// Encrypts payloads and metadata: `nil` keeps files that other programs can open.
        public var encryption: (any DiskEncryption)?

        /// Folders that are searched after the cache's own and never changed, in this order, each for the name with and
        /// without extension (S184).
        public var readOnlyFolders: [String] = []
        /// The path of a file to read where all folders miss (X078).
        public var additionalPath: (@Sendable (CacheKey) -> String?)?
        /// Runs once before this cache first opens its folder, on a thread that may block: to move what another version
        /// or another program has left, with `DiskCache.moveEntries` say (X077). All calls of the cache wait for it: it
        /// must make none.
        public var migrate: (@Sendable (_ folder: String) -> Void)?

        /// Whether files have a temporary name while they are written also where they need none: for tests of what is done
        /// where the system knows no other way.
        package var writesNamedFiles = false
        /// Whether the folder is asked for each name, also where the system tells which there are: for tests of what is done where
        /// it does not.
        package var asksForEachName = false

        /// Limits; the defaults are those named above.
        public init(maximumBytes: Int = .megabytes(512), maximumAge: Duration = .days(30)) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
        }

        /// An entry is touched again when its last touch is older than a tenth of its life, or an hour: most hits write nothing.
        var touchInterval: Double {
            maximumAge > .zero ? min(3600, maximumAge.seconds / 10) : 3600
        }
    }

    /// What an entry's age counts from (X073).
    public enum Expiration: String, Sendable, Hashable, CaseIterable {
        /// Its last use.
        case access
        /// When its bytes or its metadata were last stored.
        case modification
        /// When its bytes were stored.
        case creation
    }

    /// Which entries go first, after those that are too old.
    public enum Eviction: String, Sendable, Hashable, CaseIterable {
        /// The oldest by the date that expiration goes by.
        case oldest
        /// The least recently used.
        case leastRecentlyUsed
        /// The largest, so that as few as possible go.
        case largest
    }
}
