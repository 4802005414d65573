/// How much a cache holds, and giving some of it back.
extension ImageCache {
    /// What is held where.
    public struct Statistics: Sendable, Hashable {
        /// Pictures in memory.
        public var memoryCount: Int
        /// Bytes of their pixels.
        public var memoryBytes: Int
        /// Files on disk, and their bytes.
        public var disk: DiskCache.Statistics
        /// Decoded pictures on disk, and the bytes of their files.
        public var decoded: DiskCache.Statistics
    }

    /// Counts what is held (X094). Linear in the number of files.
    public func statistics() async -> Statistics {
        let none = DiskCache.Statistics(entries: 0, bytes: 0)
        return Statistics(
            memoryCount: memory.count, memoryBytes: memory.totalCost, disk: await disk?.statistics() ?? none,
            decoded: await decoded?.statistics() ?? none)
    }

    /// Removes files that are too old and then, while a limit is passed, as many more as that asks (S113, X093, X105).
    public func trimDisk() async {
        await disk?.trim()
        await decoded?.trim()
    }

    /// What a platform calls when nothing of the application is on screen any more: memory gives half back, and files
    /// that are too old go, where that is due (X095).
    public func enterBackground() async {
        // Before memory lets go of what has still to be written.
        await decodedWriter?.finish()
        trimMemory(for: .background)
        _ = await cleanup?.cleanIfDue()
    }

    /// Returns when what stores have begun behind their callers' backs is over. Decoded pictures that wait for rest are
    /// written at once.
    public func settle() async {
        await decodedWriter?.finish()
        await disk?.settle()
        await decoded?.settle()
    }
}
