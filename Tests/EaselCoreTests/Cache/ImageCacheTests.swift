import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Image cache: memory over disk")
struct ImageCacheTests {
    @Test("an image costs the bytes of its pixels in memory (X098, S117, S178)")
    func memory() async throws {
        let cache = ImageCache(folder: nil as String?)
        let image = try TestImage.gradient(10, 5).image()
        cache.store(image, for: "a")
        #expect(cache.image(for: "a")?.size == PixelSize(10, 5))
        #expect(cache.memory.totalCost == image.memoryCost)
    }

    @Test("the cost includes the metadata, such as the frame durations of an animation (B13)")
    func attachedCost() throws {
        var image = try TestImage.gradient(10, 5).image()
        let pixels = image.memoryCost
        #expect(pixels == image.pixels.byteCount)
        image.metadata.header = ImageHeader(
            format: .gif, storedSize: image.size, frameDurations: Array(repeating: .seconds(1), count: 1_000),
            profileName: "sRGB")
        #expect(image.memoryCost == pixels + 16 * 1_000 + 4)
    }

    @Test("namespaces separate equal keys, and no namespace leads outside the folder (S106, X076)")
    func namespaces() async throws {
        try await TemporaryFolder.with { folder in
            let long = String(repeating: "n", count: 300)
            let names = ["default", "Default", "", "../..", "a/b", "a_b", ".", "ä ö", long]
            for (number, name) in names.enumerated() {
                let cache = ImageCache(namespace: name, in: URL(fileURLWithPath: folder.path))
                try await cache.store(Data([UInt8(number)]), for: "a")
            }
            for (number, name) in names.enumerated() {
                let cache = ImageCache(namespace: name, in: URL(fileURLWithPath: folder.path))
                #expect(try await cache.data(for: "a") == Data([UInt8(number)]))
            }
            #expect(try folder.names() == ["namespaces"])
        }
    }

    @Test("a cache without a folder stores no file and throws no error")
    func withoutFolder() async throws {
        let cache = ImageCache(folder: nil as String?)
        try await cache.store(Data([1]), for: "a")
        #expect(try await cache.data(for: "a") == nil)
        #expect(await cache.contains("a", in: .all) == [])
        try await cache.remove("a")
        try await cache.removeAll()
        #expect(cache.disk == nil)
    }

    @Test("contains returns the levels that have the entry, among the requested ones (S109, X066, X091)")
    func contains() async throws {
        try await withFixture { cache in
            cache.store(try TestImage.gradient(2, 2).image(), for: "memory")
            try await cache.store(Data([1]), for: "disk")
            cache.store(try TestImage.gradient(2, 2).image(), for: "both")
            try await cache.store(Data([1]), for: "both")
            #expect(await cache.contains("memory", in: .all) == .memory)
            #expect(await cache.contains("disk", in: .all) == .disk)
            #expect(await cache.contains("both", in: .all) == .all)
            #expect(await cache.contains("both", in: .disk) == .disk)
            #expect(await cache.contains("both", in: []) == [])
            #expect(await cache.contains("none", in: .all) == [])
        }
    }

    @Test("remove affects only the requested levels (S112, S131, X092)")
    func remove() async throws {
        try await withFixture { cache in
            for level in [CacheLevels.memory, .disk, .all] {
                cache.store(try TestImage.gradient(2, 2).image(), for: "a")
                try await cache.store(Data([1]), for: "a")
                try await cache.remove("a", from: level)
                #expect(await cache.contains("a", in: .all) == CacheLevels.all.subtracting(level))
            }
        }
    }

    @Test("removeAll affects only the requested levels (S113, X093)")
    func removeAll() async throws {
        try await withFixture { cache in
            for level in [CacheLevels.memory, .disk, .all] {
                for key in ["a", "b"] as [CacheKey] {
                    cache.store(try TestImage.gradient(2, 2).image(), for: key)
                    try await cache.store(Data([1]), for: key)
                }
                try await cache.removeAll(from: level)
                #expect(await cache.contains("a", in: .all) == CacheLevels.all.subtracting(level))
                #expect(await cache.contains("b", in: .all) == CacheLevels.all.subtracting(level))
            }
        }
    }

    @Test("limits come from the configuration, and memory is limited by default (P019, S116, S181)")
    func configuration() {
        let cache = ImageCache(folder: "/nowhere") {
            $0.memory.maximumBytes = 1_000
            $0.memory.maximumCount = 3
        }
        #expect(cache.memory.maximumCost == 1_000)
        #expect(cache.memory.maximumCount == 3)
        #expect(cache.disk?.folder == "/nowhere")
        let ordinary = ImageCache(folder: nil as String?)
        #expect(ordinary.memory.maximumCost > 0)
        #expect(ordinary.memory.maximumCost <= 512_000_000)
    }

    @Test("the default folder is an absolute path in the user's cache folder (R045, S122, S180)")
    func defaultFolder() {
        #expect(ImageCache.defaultFolder.hasPrefix("/"))
        #expect(ImageCache.defaultFolder.hasSuffix("/easel"))
    }

    private func withFixture(_ body: (ImageCache) async throws -> Void) async throws {
        try await TemporaryFolder.with { try await body(ImageCache(folder: $0.path)) }
    }
}
