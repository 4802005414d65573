#if Server
import EaselCore
import EaselFoundation

/// The files of sources in memory, for a server without a folder: several sizes of one source need one download.
struct SourceMemory: ImageCaching {
    private let files: MemoryCache<CachedFile>

    init(maximumBytes: Int) { files = MemoryCache(maximumCost: maximumBytes) }

    func file(for key: CacheKey) -> CachedFile? { files.value(for: key) }

    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) {
        files.store(CachedFile(data: data, metadata: metadata), cost: data.count + 1024, for: key)
    }

    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) {
        if let file = files.value(for: key) { store(file.data, metadata: metadata, for: key) }
    }

    func contains(_ key: CacheKey, in levels: CacheLevels) -> CacheLevels {
        levels.contains(.disk) && files.contains(key) ? .disk : []
    }

    func remove(_ key: CacheKey, from levels: CacheLevels) {
        if levels.contains(.disk) { files.remove(key) }
    }

    func removeAll(from levels: CacheLevels) {
        if levels.contains(.disk) { files.removeAll() }
    }

    // Images are kept as results.
    func image(for key: CacheKey) -> DecodedImage? { nil }
    func store(_ image: DecodedImage, for key: CacheKey) {}
}
#endif
