public import EaselFoundation

/// A cache of decoded images in memory and of files on disk.
public final class ImageCache: ImageCaching {
    /// The limits of memory and disk, and what is removed when they are exceeded.
    public struct Configuration: Sendable {
        /// The part of the configuration for memory.
        public struct Memory: Sendable {
            /// The maximum size of all decoded pixels. By default a quarter of the memory that the process may use, at
            /// most 512 MB.
            public var maximumBytes: ByteCount = .automatic
            /// The maximum number of images. Unlimited by default.
            public var maximumCount: Int = .max
            /// The maximum share of `maximumBytes` for a single image, from 0 to 1. 1 by default.
            public var maximumEntryShare: Double = 1
            /// Which images are evicted first. S3-FIFO by default.
            public var policy: EvictionPolicy = .s3FIFO
            /// How long an image can be used after it was stored. `nil`, the default, means forever.
            public var lifetime: Duration?
            /// Whether an evicted image is still found while it is referenced elsewhere, for example by a view. On by
            /// default.
            package var keepsHeldImages = true
            /// The monitor that reports a shortage of memory in the process or the machine, which evicts images. `nil`
            /// for none.
            public var pressureMonitor: MemoryPressureMonitor? = .system
        }

        /// The part of the configuration for decoded images on disk.
        public struct Decoded: Sendable {
            /// The maximum size of all files. 128 MB by default; 0 stores nothing.
            public var maximumBytes: ByteCount = .megabytes(128)
            /// The maximum size of one image's pixels. 512 KiB by default, for thumbnails: reading larger images saves
            /// little.
            public var maximumImageBytes = ByteCount(512 << 10)
        }

        /// Images in memory.
        public var memory = Memory()
        /// Files on disk.
        public var disk = DiskCache.Configuration()
        /// Decoded images on disk, in the subfolder `decoded`. `nil` stores none. With `disk.encryption` none are
        /// stored either, as they would not be encrypted.
        public var decoded: Decoded? = Decoded()
        /// The time between removals of expired files. One day by default; `nil` means never. A removal that is due
        /// also runs when the process exits. In addition, a store that exceeds a limit removes files.
        public var cleanupInterval: Duration? {
            get { cleanup.interval }
            set { cleanup.interval = newValue }
        }
        package var cleanup = CleanupSchedule()
        /// The clock that `storeDecodedWhenIdle` uses.
        var clock = LoadClock(ContinuousClock())
    }

    /// The images in memory.
    public let memory: MemoryCache<DecodedImage>
    /// The files, or `nil` for a cache in memory only.
    public let disk: DiskCache?
    /// The subfolder `partial`. `nil` without a disk, and with encryption, as partial downloads would not be encrypted.
    package let partialFolder: String?
    /// The decoded images on disk, or `nil` for none.
    var decoded: DecodedStore? { decodedQueue?.store }
    let decodedQueue: DecodedQueue?
    let cleanup: DiskCleanup?
    /// Observes memory pressure while the cache exists.
    private let pressureObservation: MemoryPressureObservation?

    /// Creates a cache with its files in `folder`, or in memory only if it is `nil`. No file is created before the
    /// first store.
    public convenience init(folder: URL?, _ configure: (inout Configuration) -> Void = { _ in }) {
        self.init(folder: folder?.path, configure)
    }

    /// Creates a cache that is separate from others of the same user. Its files are in a subfolder of
    /// `folder/namespaces`.
    ///
    /// - Parameters:
    ///   - namespace: Any text. Characters that a file name cannot contain are replaced in the name of the subfolder.
    ///   - folder: The folder of all namespaces. By default that of the shared manager.
    ///   - configure: Changes the default configuration.
    public convenience init(
        namespace: String, in folder: URL? = nil, _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        // The digest distinguishes names that are equal after the replacement of characters.
        let letters = namespace.unicodeScalars.map {
            $0.properties.isAlphabetic || $0.value == 45 ? Character($0) : "_"
        }
        let name = String(letters.prefix(40)) + "-" + Digest(of: namespace).text.prefix(8)
        self.init(folder: (folder?.path ?? ImageCache.defaultFolder) + "/namespaces/" + name, configure)
    }

    /// Creates a cache with its files in the folder at a path, or in memory only if the path is `nil`.
    package init(folder: String?, _ configure: (inout Configuration) -> Void = { _ in }) {
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
    package static var defaultFolder: String {
        let environment = ProcessInfo.processInfo.environment
        func path(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // Without HOME, `homeDirectory` is that of the user database.
        return (path("XDG_CACHE_HOME") ?? (path("HOME") ?? URL.homeDirectory.path) + "/.cache") + "/easel"
    }

    // MARK: - Memory

    /// Returns the image in memory. Counts as a use.
    public func image(for key: CacheKey) -> DecodedImage? {
        memory.value(for: key)
    }

    /// Stores an image in memory, at a cost of `DecodedImage.memoryCost`.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        memory.store(image.of(key), cost: image.memoryCost, for: key)
    }

    /// Releases memory according to the pressure. Images that are referenced elsewhere are still found.
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

    /// Replaces the metadata of a file. The bytes stay the same.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await disk?.setMetadata(metadata, for: key)
    }

    // MARK: - Both

    /// Returns the levels that have an entry for `key`.
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

    /// Removes everything that is stored for `key`. Memory is cleared before the call suspends.
    public func remove(_ key: CacheKey, from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.remove(key) }
        guard levels.contains(.disk) else { return }
        try await decodedQueue?.remove(key)
        try await disk?.remove(key)
    }

    /// Removes everything. Memory is cleared before the call suspends.
    public func removeAll(from levels: CacheLevels = .all) async throws(ImageError) {
        if levels.contains(.memory) { memory.removeAll() }
        guard levels.contains(.disk) else { return }
        try await decodedQueue?.removeAll()
        try await disk?.removeAll()
        if let partialFolder { await PartialFolder(path: partialFolder).removeAll() }
    }

    // MARK: - Maintenance

    /// The size of a cache on disk.
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

    /// Removes expired files, then others if a limit is exceeded.
    package func trimDisk() async {
        await disk?.trim()
        await decoded?.files.trim()
        if let disk {
            await disk.upkeep.run { disk.pruneTags(usedIn: [disk, self.decoded?.files].compactMap(\.self)) }
        }
    }

    /// Evicts images from memory until half is left, and removes expired files if a cleanup is due. Called when the
    /// application is no longer visible.
    package func enterBackground() async {
        // Waiting images are stored before memory releases them.
        await decodedQueue?.finish()
        trimMemory(for: .background)
        _ = await cleanup?.cleanIfDue()
    }

    /// Waits until deferred work is done, for example a trim after a store. Decoded images that wait are stored
    /// immediately.
    public func settle() async {
        await decodedQueue?.finish()
        await disk?.settle()
        await decoded?.files.settle()
    }
}
