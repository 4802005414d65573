public import EaselFoundation

/// Decoded pictures in memory over files on disk.
public final class ImageCache: ImageCaching {
    /// How much is kept where.
    public struct Configuration: Sendable {
        /// The memory's share.
        public struct Memory: Sendable {
            /// The most bytes of decoded pixels: a quarter of the memory that the process may use, at most 512 MB.
            public var maximumBytes: Int = .automatic
            /// The most pictures: no limit.
            public var maximumCount: Int = .max
            /// The most that a single picture may take of `maximumBytes`, from 0 to 1, the default.
            public var maximumEntryShare: Double = 1
            /// Which pictures go first.
            public var policy: EvictionPolicy = .s3FIFO
            /// How long a picture is kept after it was stored; `nil`, the default, is for ever.
            public var lifetime: Duration?
            /// Whether a picture that was evicted is found again for as long as somebody holds it, a view that shows it
            /// say (X097). On by default.
            public var keepsHeldPictures = true
            /// Whether pictures go when the process or the machine runs short of memory (R007, B14). On by default.
            public var respondsToPressure = true
            /// Who tells that memory is short.
            public var pressureMonitor = MemoryPressureMonitor.system
        }

        /// The memory's share.
        public var memory = Memory()
        /// The disk's share.
        public var disk = DiskCache.Configuration()
        /// The share of decoded pictures on disk, in a folder `decoded` inside the disk's; `nil` keeps none. There is none
        /// either where files are encrypted: it would be a way around that.
        public var decoded: DecodedStore.Configuration? = DecodedStore.Configuration()
        /// When files that are too old are removed, beside by stores that pass a limit.
        public var cleanup = CleanupSchedule()
        private(set) var clock = LoadClock(ContinuousClock())

        /// Lets what `storeDecodedAtRest` keeps wait on another clock than the system's.
        public mutating func use(_ clock: some Clock<Duration>) { self.clock = LoadClock(clock) }
    }

    /// The pictures in memory.
    public let memory: MemoryCache<DecodedImage>
    /// The files, or `nil` for a cache in memory alone.
    public let disk: DiskCache?
    /// Decoded pictures as files, or `nil` for none.
    public let decoded: DecodedStore?
    /// `partial` in the disk's folder; `nil` for a cache in memory alone, and where files are encrypted: it would be a way
    /// around that.
    public let partialFolder: String?
    let cleanup: DiskCleanup?
    let decodedWriter: DecodedWriter?
    /// Ends with the cache.
    private let pressureObservation: MemoryPressureObservation?

    /// A cache whose files are in `folder`. No file is touched before the first store.
    public convenience init(folder: URL, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(folder: folder.path, configure)
    }

    /// A cache of its own beside others of the same user, by its name (S106, X076): its files are in
    /// `namespaces/NAME` in `folder`. A name may be any text; what a folder's name cannot hold is replaced.
    public convenience init(
        namespace: String, in folder: String = defaultFolder, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        // The digest keeps names apart that look alike once they are cleaned.
        let letters = namespace.unicodeScalars.map {
            $0.properties.isAlphabetic || $0.value == 45 ? Character($0) : "_"
        }
        let name = String(letters.prefix(40)) + "-" + CacheKey(namespace, fileExtension: "").bareFileName.prefix(8)
        self.init(folder: folder + "/namespaces/" + name, configure)
    }

    /// A cache whose files are in the folder at this path, or without files.
    public init(folder: String?, _ configure: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration()
        configure(&configuration)
        let memory = Self.memory(configuration.memory)
        self.memory = memory
        pressureObservation =
            configuration.memory.respondsToPressure
            ? configuration.memory.pressureMonitor.observe { [weak memory] in Self.trim(memory, for: $0) } : nil
        let disk = folder.map { DiskCache(folder: $0, configuration: configuration.disk) }
        let decoded = folder.flatMap { Self.decoded(in: $0, configuration) }
        self.disk = disk
        partialFolder = configuration.disk.encryption == nil ? folder.map { $0 + "/partial" } : nil
        self.decoded = decoded
        decodedWriter = decoded.map { DecodedWriter($0, clock: configuration.clock) }
        cleanup = disk.map { DiskCleanup(configuration.cleanup, of: [$0, decoded?.files].compactMap(\.self)) }
    }

    private static func memory(_ settings: Configuration.Memory) -> MemoryCache<DecodedImage> {
        var configuration = MemoryCache<DecodedImage>.Configuration(
            maximumCost: settings.maximumBytes, maximumCount: settings.maximumCount)
        configuration.maximumEntryShare = settings.maximumEntryShare
        configuration.policy = settings.policy
        configuration.lifetime = settings.lifetime
        return settings.keepsHeldPictures
            ? MemoryCache(keepingHeldValues: configuration) : MemoryCache(configuration)
    }

    private static func decoded(in folder: String, _ configuration: Configuration) -> DecodedStore? {
        guard let settings = configuration.decoded, configuration.disk.encryption == nil else { return nil }
        return DecodedStore(folder: folder + "/decoded", configuration: settings)
    }

    /// Where the shared manager's files are: `easel` in the user's folder for caches (XDG Base Directory; R045).
    public static var defaultFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        // Without one in the environment, that of the user database.
        return (caches ?? (home ?? URL.homeDirectory.path) + "/.cache") + "/easel"
    }

    /// The picture in memory, which counts as a use.
    public func image(for key: CacheKey) -> DecodedImage? {
        memory.value(for: key)
    }

    /// Keeps a picture in memory at the cost of its pixels.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        memory.store(image, cost: image.memoryCost, for: key)
    }

    /// What the memory has done.
    public var memoryStatistics: MemoryCacheStatistics? { memory.statistics }

    /// The decoded picture on disk, or on its way there.
    public func decodedPicture(for key: CacheKey) async -> CachedPicture? {
        if let picture = decodedWriter?.picture(for: key) { return picture }
        return await decoded?.picture(for: key)
    }

    /// Keeps a decoded picture on disk, if its pixels take no more than `DecodedStore.Configuration.maximumPictureBytes`.
    public func storeDecoded(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool {
        cleanup?.start()
        await decodedWriter?.forget(key)
        return try await decoded?.store(picture, for: key) ?? false
    }

    /// Takes a decoded picture like `storeDecoded`, but writes it when none of more than low priority has come for 150 ms, or
    /// after five seconds: what somebody waits for needs the processor and the disk more.
    ///
    /// It is not kept alive until then: one that nobody holds any more, nor memory, is not written.
    public func storeDecodedAtRest(
        _ picture: CachedPicture, for key: CacheKey, priority: LoadPriority = .normal
    ) -> Bool {
        cleanup?.start()
        return decodedWriter?.offer(picture, for: key, priority) ?? false
    }

    /// The file on disk with what is kept beside it.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await disk?.file(for: key)
    }

    /// What is kept beside a file on disk, without reading the file.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await disk?.metadata(for: key)
    }

    /// Keeps a file on disk.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        cleanup?.start()
        try await disk?.store(data, metadata: metadata, for: key)
    }

    /// Replaces what is kept beside a file, and leaves the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await disk?.setMetadata(metadata, for: key)
    }

    /// Where something is kept for `key`; memory is asked first (X066).
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        var found: CacheLevels = []
        if levels.contains(.memory), memory.contains(key) { found.insert(.memory) }
        if levels.contains(.disk) {
            let isFound = await disk?.contains(key) ?? false
            if isFound || decodedWriter?.picture(for: key) != nil {
                found.insert(.disk)
            } else if await decoded?.contains(key) == true {
                found.insert(.disk)
            }
        }
        return found
    }

    /// Gives memory back, as much as this pressure asks for (B14); pictures that somebody holds stay within reach.
    public func trimMemory(for pressure: MemoryPressure) {
        Self.trim(memory, for: pressure)
    }

    private static func trim(_ memory: MemoryCache<DecodedImage>?, for pressure: MemoryPressure) {
        memory?.trim(for: pressure)
        BlockPool.shared.drain()
    }

    /// Removes what is kept for `key`, from memory before the call suspends (S131).
    public func remove(_ key: CacheKey, from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.remove(key) }
        guard levels.contains(.disk) else { return }
        decodedWriter?.remove(key)
        try await disk?.remove(key)
        try await decoded?.remove(key)
    }

    /// Removes everything, from memory before the call suspends.
    public func removeAll(from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.removeAll() }
        guard levels.contains(.disk) else { return }
        decodedWriter?.removeAll()
        try await disk?.removeAll()
        try await decoded?.removeAll()
        if let partialFolder { await PartialFolder(path: partialFolder).removeAll() }
    }
}
