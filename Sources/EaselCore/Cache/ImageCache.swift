public import EaselFoundation

/// Decoded images in memory over files on disk.
public final class ImageCache: ImageCaching {
    /// How much is kept where.
    public struct Configuration: Sendable {
        /// The memory's share.
        public struct Memory: Sendable {
            /// The most bytes of decoded pixels: a quarter of the memory that the process may use, at most 512 MB.
            public var maximumBytes: Int = .automatic
            /// The most images: no limit.
            public var maximumCount: Int = .max
            /// The most that a single image may take of `maximumBytes`, from 0 to 1, the default.
            public var maximumEntryShare: Double = 1
            /// Which images are evicted first.
            public var policy: EvictionPolicy = .s3FIFO
            /// How long an image is kept after it was stored; `nil`, the default, is for ever.
            public var lifetime: Duration?
            /// Whether an image that was evicted is still found while it is held elsewhere, for example by a view. On by default.
            public var keepsHeldImages = true
            /// Whether images are removed when the process or the machine runs short of memory. On by default.
            public var respondsToPressure = true
            /// Reports that memory is short.
            public var pressureMonitor = MemoryPressureMonitor.system
        }

        /// The memory's share.
        public var memory = Memory()
        /// The disk's share.
        public var disk = DiskCache.Configuration()
        /// The share of decoded images on disk, in a folder `decoded` inside the disk's; `nil` keeps none. If files are encrypted there
        /// are none either: they would bypass the encryption.
        public var decoded: DecodedStore.Configuration? = DecodedStore.Configuration()
        /// When files that are too old are removed, apart from stores that pass a limit.
        public var cleanup = CleanupSchedule()
        private(set) var clock = LoadClock(ContinuousClock())

        /// Sets the clock that `storeDecodedWhenIdle` uses, instead of the system's.
        public mutating func use(_ clock: some Clock<Duration>) { self.clock = LoadClock(clock) }
    }

    /// The images in memory.
    public let memory: MemoryCache<DecodedImage>
    /// The files, or `nil` for a cache in memory alone.
    public let disk: DiskCache?
    /// Decoded images as files, or `nil` for none.
    public var decoded: DecodedStore? { decodedQueue?.store }
    /// `partial` in the disk's folder; `nil` for a cache in memory alone, and if files are encrypted: partial downloads would bypass
    /// the encryption.
    public let partialFolder: String?
    private let decodedQueue: DecodedQueue?
    private let cleanup: DiskCleanup?
    /// Ends with the cache.
    private let pressureObservation: MemoryPressureObservation?

    /// A cache whose files are in `folder`. No file is touched before the first store.
    public convenience init(folder: URL, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(folder: folder.path, configure)
    }

    /// A cache of its own beside others of the same user, by its name: its files are in `namespaces/NAME` in `folder`. A name may be
    /// any text; what a folder's name cannot hold is replaced.
    public convenience init(
        namespace: String, in folder: String = defaultFolder, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        // The digest distinguishes names that have the same letters.
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
        let plainFolder = configuration.disk.encryption == nil ? folder : nil
        let decoded = plainFolder.flatMap { folder in
            configuration.decoded.map { DecodedStore(folder: folder + "/decoded", configuration: $0) }
        }
        self.disk = disk
        partialFolder = plainFolder.map { $0 + "/partial" }
        decodedQueue = decoded.map { DecodedQueue($0, clock: configuration.clock) }
        cleanup = disk.map { DiskCleanup(configuration.cleanup, of: [$0, decoded?.files].compactMap(\.self)) }
    }

    private static func memory(_ settings: Configuration.Memory) -> MemoryCache<DecodedImage> {
        var configuration = MemoryCache<DecodedImage>.Configuration(
            maximumCost: settings.maximumBytes, maximumCount: settings.maximumCount)
        configuration.maximumEntryShare = settings.maximumEntryShare
        configuration.policy = settings.policy
        configuration.lifetime = settings.lifetime
        return settings.keepsHeldImages
            ? MemoryCache(keepingHeldValues: configuration) : MemoryCache(configuration)
    }

    /// The folder of the shared manager's files: `easel` in the user's folder for caches (XDG Base Directory).
    public static var defaultFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        // Without one in the environment, that of the user database.
        return (caches ?? (home ?? URL.homeDirectory.path) + "/.cache") + "/easel"
    }

    // MARK: - Memory

    /// The image in memory. Counts as a use.
    public func image(for key: CacheKey) -> DecodedImage? {
        memory.value(for: key)
    }

    /// Keeps an image in memory at the cost of its pixels.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        memory.store(image, cost: image.memoryCost, for: key)
    }

    /// An image in memory of another size that serves as well: the smallest of those that do, which is the quickest to draw and the
    /// sharpest if it is scaled down.
    ///
    /// The size is in the image's metadata: an image without `ImageMetadata.sampling` never serves for another size.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        memory.value(inGroup: family) { images in
            images.lastIndex { $0.metadata.sampling?.answers(size, precision) ?? false }
        }
    }

    /// Keeps an image in memory at the cost of its pixels, as one of the sizes of a family.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        guard image.metadata.sampling != nil else { return store(image, for: key) }
        memory.store(image, cost: image.memoryCost, for: key, group: family)
    }

    /// All sizes of an image in memory, with those that were evicted and are still shown, the largest first.
    ///
    /// - Parameter family: `ImageRequest.familyKey`.
    public func images(inFamily family: CacheKey) -> [DecodedImage] {
        memory.values(inGroup: family)
    }

    /// The statistics of the memory.
    public var memoryStatistics: MemoryCacheStatistics? { memory.statistics }

    /// Releases memory as the pressure requires; images that are held elsewhere are still found.
    public func trimMemory(for pressure: MemoryPressure) {
        Self.trim(memory, for: pressure)
    }

    private static func trim(_ memory: MemoryCache<DecodedImage>?, for pressure: MemoryPressure) {
        memory?.trim(for: pressure)
        BlockPool.shared.drain()
    }

    // MARK: - Disk

    /// The file on disk with its metadata.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await disk?.file(for: key)
    }

    /// The metadata of a file on disk. Does not read the file.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await disk?.metadata(for: key)
    }

    /// Keeps a file on disk.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        cleanup?.start()
        try await disk?.store(data, metadata: metadata, for: key)
    }

    /// Replaces the metadata of a file, and leaves the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await disk?.setMetadata(metadata, for: key)
    }

    /// The decoded image on disk, or one that waits to be stored.
    public func decodedImage(for key: CacheKey) async -> CachedImage? {
        if let image = decodedQueue?.image(for: key) { return image }
        return await decoded?.image(for: key)
    }

    /// Keeps a decoded image on disk if its pixels take no more than `DecodedStore.Configuration.maximumImageBytes`.
    public func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        cleanup?.start()
        return try await decodedQueue?.storeNow(image, for: key) ?? false
    }

    /// Takes a decoded image like `storeDecoded`, but stores it once none of more than low priority has come for 150 ms, or after five
    /// seconds, as the loads that something waits for need the processor and the disk more.
    ///
    /// It is not kept alive until then: an image that is held neither by memory nor elsewhere is not stored.
    public func storeDecodedWhenIdle(
        _ image: CachedImage, for key: CacheKey, priority: LoadPriority = .normal
    ) -> Bool {
        cleanup?.start()
        return decodedQueue?.add(image, for: key, priority: priority) ?? false
    }

    // MARK: - Both

    /// The levels that hold something for `key`.
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        var found: CacheLevels = []
        if levels.contains(.memory), memory.contains(key) { found.insert(.memory) }
        if levels.contains(.disk), await isOnDisk(key) { found.insert(.disk) }
        return found
    }

    private func isOnDisk(_ key: CacheKey) async -> Bool {
        if await disk?.contains(key) == true || decodedQueue?.image(for: key) != nil { return true }
        return await decoded?.contains(key) == true
    }

    /// Removes everything that is kept for `key`, from memory before the call suspends.
    public func remove(_ key: CacheKey, from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.remove(key) }
        guard levels.contains(.disk) else { return }
        try await decodedQueue?.remove(key)
        try await disk?.remove(key)
    }

    /// Removes everything, from memory before the call suspends.
    public func removeAll(from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.removeAll() }
        guard levels.contains(.disk) else { return }
        try await decodedQueue?.removeAll()
        try await disk?.removeAll()
        if let partialFolder { await PartialFolder(path: partialFolder).removeAll() }
    }

    // MARK: - Upkeep

    /// How much is held where.
    public struct Statistics: Sendable, Hashable {
        /// Images in memory.
        public var memoryCount: Int
        /// Bytes of their pixels.
        public var memoryBytes: Int
        /// Files on disk, and their bytes.
        public var disk: DiskCache.Statistics
        /// Decoded images on disk, and the bytes of their files.
        public var decoded: DiskCache.Statistics
    }

    /// Counts everything. Linear in the number of files.
    public func statistics() async -> Statistics {
        let none = DiskCache.Statistics(entries: 0, bytes: 0)
        return Statistics(
            memoryCount: memory.count, memoryBytes: memory.totalCost, disk: await disk?.statistics() ?? none,
            decoded: await decoded?.statistics() ?? none)
    }

    /// Removes files that are too old and then, if a limit is passed, as many as it requires.
    public func trimDisk() async {
        await disk?.trim()
        await decoded?.trim()
    }

    /// Halves the memory, and removes files that are too old if that is due. A platform calls it when nothing of the application is
    /// on screen any more.
    public func enterBackground() async {
        // Before memory releases images that have still to be stored.
        await decodedQueue?.finish()
        trimMemory(for: .background)
        _ = await cleanup?.cleanIfDue()
    }

    /// Returns when the work that stores have left for later is done. Decoded images that wait are stored at once.
    public func settle() async {
        await decodedQueue?.finish()
        await disk?.settle()
        await decoded?.settle()
    }
}
