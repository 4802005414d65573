public import EaselFoundation

/// Decoded images in memory over files on disk.
public final class ImageCache: ImageCaching {
    /// The limits of memory and disk, and how they are kept.
    public struct Configuration: Sendable {
        /// The part of the configuration for memory.
        public struct Memory: Sendable {
            /// The most bytes of decoded pixels: a quarter of the memory that the process may use, at most 512 MB.
            public var maximumBytes: ByteCount = .automatic
            /// The most images: no limit.
            public var maximumCount: Int = .max
            /// The largest share of `maximumBytes` for a single image, from 0 to 1, the default.
            public var maximumEntryShare: Double = 1
            /// Which images are evicted first.
            public var policy: EvictionPolicy = .s3FIFO
            /// How long an image can be used after it was stored; `nil`, the default, means forever.
            public var lifetime: Duration?
            /// Whether an evicted image is still found while it is held elsewhere, for example by a view. On by default.
            public var keepsHeldImages = true
            /// Reports that the process or the machine runs short of memory, so that images are removed; `nil` for none.
            public var pressureMonitor: MemoryPressureMonitor? = .system
        }

        /// The part of the configuration for decoded images on disk.
        public struct Decoded: Sendable {
            /// The most bytes of all files: 128 MB; 0 stores nothing.
            public var maximumBytes: ByteCount = .megabytes(128)
            /// The most bytes of one image's pixels: 512 KiB, a thumbnail. Larger ones cost more to read than they are worth.
            public var maximumImageBytes = ByteCount(512 << 10)
        }

        /// Images in memory.
        public var memory = Memory()
        /// Files on disk.
        public var disk = DiskCache.Configuration()
        /// Decoded images on disk, in a folder `decoded` inside the disk's; `nil` stores none. If files are encrypted none are stored
        /// either: they would bypass the encryption.
        public var decoded: Decoded? = Decoded()
        /// When files that are too old are removed, apart from stores that pass a limit.
        public var cleanup = CleanupSchedule()
        /// The clock that `storeDecodedWhenIdle` uses.
        var clock = LoadClock(ContinuousClock())
    }

    /// The images in memory.
    public let memory: MemoryCache<DecodedImage>
    /// The files, or `nil` for a cache in memory only.
    public let disk: DiskCache?
    /// `partial` in the disk's folder; `nil` if there is none, or if files are encrypted: partial downloads would bypass the encryption.
    package let partialFolder: String?
    /// Decoded images as files, or `nil` for none.
    var decoded: DecodedStore? { decodedQueue?.store }
    private let decodedQueue: DecodedQueue?
    private let cleanup: DiskCleanup?
    /// Ends with the cache.
    private let pressureObservation: MemoryPressureObservation?

    /// Creates a cache whose files are in `folder`. No file is touched before the first store.
    public convenience init(folder: URL, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(folder: folder.path, configure)
    }

    /// Creates a cache separate from others of the same user. Its files are in `namespaces/NAME` in `folder`. The name may be any
    /// text; what a folder's name cannot hold is replaced.
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

    /// Creates a cache whose files are in the folder at this path, or without files.
    public init(folder: String?, _ configure: (inout Configuration) -> Void = { _ in }) {
        var configuration = Configuration()
        configure(&configuration)
        let memory = Self.memory(configuration.memory)
        self.memory = memory
        pressureObservation = configuration.memory.pressureMonitor?
            .observe { [weak memory] in Self.trim(memory, for: $0) }
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
            maximumCost: settings.maximumBytes.bytes, maximumCount: settings.maximumCount)
        configuration.maximumEntryShare = settings.maximumEntryShare
        configuration.policy = settings.policy
        configuration.lifetime = settings.lifetime
        return settings.keepsHeldImages
            ? MemoryCache(keepingHeldValues: configuration) : MemoryCache(configuration)
    }

    /// The folder of the shared manager's files: `easel` in the user's folder for caches (XDG Base Directory).
    public static var defaultFolder: String {
        let environment = ProcessInfo.processInfo.environment
        func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // Without a home in the environment, that of the user database.
        return (path("XDG_CACHE_HOME") ?? (path("HOME") ?? URL.homeDirectory.path) + "/.cache") + "/easel"
    }

    // MARK: - Memory

    /// Returns the image in memory. Counts as a use.
    public func image(for key: CacheKey) -> DecodedImage? {
        memory.value(for: key)
    }

    /// Stores an image in memory at the cost of its pixels.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        memory.store(image, cost: image.memoryCost, for: key)
    }

    /// Releases memory as the pressure requires; images that are held elsewhere are still found.
    package func trimMemory(for pressure: MemoryPressure) {
        Self.trim(memory, for: pressure)
    }

    private static func trim(_ memory: MemoryCache<DecodedImage>?, for pressure: MemoryPressure) {
        memory?.trim(for: pressure)
        BlockPool.shared.drain()
    }

    // MARK: - Disk

    /// Returns the file on disk with its metadata.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await disk?.file(for: key)
    }

    /// Returns the metadata of a file on disk. Does not read the file.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await disk?.metadata(for: key)
    }

    /// Stores a file on disk.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        cleanup?.start()
        try await disk?.store(data, metadata: metadata, for: key)
    }

    /// Replaces the metadata of a file, and leaves the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await disk?.setMetadata(metadata, for: key)
    }

    // MARK: - Both

    /// Returns the levels that hold something for `key`.
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        var found: CacheLevels = []
        if levels.contains(.memory), memory.contains(key) { found.insert(.memory) }
        if levels.contains(.disk), await isOnDisk(key) { found.insert(.disk) }
        return found
    }

    private func isOnDisk(_ key: CacheKey) async -> Bool {
        if await disk?.contains(key) == true || decodedQueue?.image(for: key) != nil { return true }
        return await decoded?.files.contains(key) == true
    }

    /// Removes everything that is stored for `key`, from memory before the call suspends.
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

    /// How much a cache holds on disk.
    public struct Statistics: Sendable, Hashable {
        /// Files on disk, and their bytes.
        public var disk: DiskCache.Statistics
        /// Decoded images on disk, and the bytes of their files.
        public var decoded: DiskCache.Statistics
    }

    /// Counts the files. Linear in the number of files.
    public func statistics() async -> Statistics {
        Statistics(
            disk: await disk?.statistics() ?? DiskCache.Statistics(),
            decoded: await decoded?.files.statistics() ?? DiskCache.Statistics())
    }

    /// Removes files that are too old and then, if a limit is passed, as many as it requires.
    package func trimDisk() async {
        await disk?.trim()
        await decoded?.files.trim()
    }

    /// Halves the memory, and removes files that are too old if that is due. A platform calls it when the application is no longer
    /// visible.
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
        await decoded?.files.settle()
    }
}

extension ImageCache: ExtendedImageCaching {
    /// Returns the smallest image in memory that serves for a size: the quickest to draw and the sharpest if it is scaled down.
    package func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        memory.value(inGroup: family) { images in
            images.lastIndex { $0.metadata.sampling?.answers(size, precision) ?? false }
        }
    }

    /// Returns all sizes of an image in memory, with those that were evicted and are still shown, the largest first.
    package func images(inFamily family: CacheKey) -> [DecodedImage] {
        memory.values(inGroup: family)
    }

    /// Stores an image in memory. One without `ImageMetadata.sampling`, which has the size, never serves for another size.
    package func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        guard image.metadata.sampling != nil else { return store(image, for: key) }
        memory.store(image, cost: image.memoryCost, for: key, group: family)
    }

    package var memoryStatistics: MemoryCacheStatistics? { memory.statistics }

    /// Returns the decoded image on disk, or one that waits to be stored.
    package func decodedImage(for key: CacheKey) async -> CachedImage? {
        if let image = decodedQueue?.image(for: key) { return image }
        return await decoded?.image(for: key)
    }

    package func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        cleanup?.start()
        return try await decodedQueue?.storeNow(image, for: key) ?? false
    }

    /// Stores a decoded image once none of more than low priority has come for 150 ms, or after five seconds, as the loads that
    /// something waits for need the processor and the disk more.
    ///
    /// It is not kept alive until then: an image that is held neither by memory nor elsewhere is not stored.
    package func storeDecodedWhenIdle(
        _ image: CachedImage, for key: CacheKey, priority: LoadPriority = .normal
    ) -> Bool {
        cleanup?.start()
        return decodedQueue?.add(image, for: key, priority: priority) ?? false
    }
}
