import EaselCompatibility
import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Image cache: queries and stores")
struct ImageCacheQueryTests {
    private let coder = TestCoder()
    private var coders: CoderRegistry { CoderRegistry(decoders: [coder], encoders: [coder]) }

    @Test("a memory hit does not read the disk (S124, S110)")
    func memoryFirst() async throws {
        try await withFixture { cache in
            cache.store(try TestImage.gradient(3, 3).image(), for: "a")
            let result = try await cache.query("a", decodingWith: coders)
            #expect(result?.level == .memory)
            #expect(result?.file == nil)
            #expect(coder.decodes.count == 0)
        }
    }

    @Test("a memory hit includes the file if the query needs it (S129)")
    func withFile() async throws {
        try await withFixture { cache in
            cache.store(try TestImage.gradient(3, 3).image(), for: "a")
            try await cache.store(TestCoder.file(), for: "a")
            let result = try await cache.query("a", needsFile: true, decodingWith: coders)
            #expect(result?.level == .memory)
            #expect(result?.file?.data == TestCoder.file())
            #expect(coder.decodes.count == 0)
        }
    }

    @Test("a disk hit is decoded and stored in memory (S126, X089, S130)")
    func disk() async throws {
        try await withFixture { cache in
            try await cache.store(TestCoder.file(), for: "a")
            let result = try await cache.query("a", decodingWith: coders)
            #expect(result?.level == .disk)
            #expect(result?.image.size == PixelSize(8, 6))
            #expect(cache.image(for: "a") != nil)
            #expect(try await cache.query("a", decodingWith: coders)?.level == .memory)
            #expect(coder.decodes.count == 1)
        }
    }

    @Test("a disk hit is not stored in memory if the query does not promote (X089)")
    func withoutPromotion() async throws {
        try await withFixture { cache in
            try await cache.store(TestCoder.file(), for: "a")
            _ = try await cache.query("a", promotes: false, decodingWith: coders)
            #expect(cache.image(for: "a") == nil)
        }
    }

    @Test("a query reads only the requested levels (X084, X064)")
    func levels() async throws {
        try await withFixture { cache in
            try await cache.store(TestCoder.file(), for: "disk")
            cache.store(try TestImage.gradient(3, 3).image(), for: "memory")
            let onDisk = try await cache.query("disk", from: .memory, decodingWith: coders)
            let inMemory = try await cache.query("memory", from: .disk, decodingWith: coders)
            let noLevels = try await cache.query("disk", from: [], decodingWith: coders)
            #expect(onDisk == nil && inMemory == nil && noLevels == nil)
        }
    }

    @Test("a file that cannot be decoded is a miss and is removed")
    func damaged() async throws {
        try await withFixture { cache in
            try await cache.store(Data("TEST".utf8), for: "a")
            let result = try await cache.query("a", decodingWith: coders)
            #expect(result == nil)
            #expect(await cache.contains("a", in: .all) == [])
        }
    }

    @Test("a query in a cancelled task throws a cancellation error (S128, X088, S125)")
    func cancelled() async throws {
        try await withFixture { cache in
            try await cache.store(TestCoder.file(), for: "a")
            let task = Task { [coders] in
                withUnsafeCurrentTask { $0?.cancel() }
                do throws(ImageError) {
                    return try await cache.query("a", decodingWith: coders) == nil ? nil : ImageError.notCached
                } catch {
                    return error
                }
            }
            #expect(await task.value == .cancelled)
            #expect(coder.decodes.count == 0)
        }
    }

    @Test("an image without a file is encoded, or not written if no encoder supports it (X080, X081, S185)")
    func encodes() async throws {
        try await withFixture { cache in
            var image = try TestImage.solid(Pixel(blue: 9, green: 9, red: 9, alpha: 255), 4, 5).image()
            image.metadata.header = ImageHeader(format: coder.format, storedSize: PixelSize(4, 5))
            try await cache.store(image, for: "a", encodingWith: coders)
            #expect(cache.image(for: "a") != nil)
            #expect(try await cache.data(for: "a") == TestCoder.file(width: 4, height: 5, value: 9))
            try await cache.store(image, for: "b", encodingWith: CoderRegistry())
            #expect(try await cache.data(for: "b") == nil)
        }
    }

    @Test("a file is stored unchanged with its metadata, and a store in memory writes no file (S119, X079, S107)")
    func stores() async throws {
        try await withFixture { cache in
            let image = try TestImage.gradient(3, 3).image()
            try await cache.store(
                image, file: Data([1, 2]), metadata: CacheMetadata(fields: ["etag": "x"]), for: "a",
                encodingWith: coders)
            #expect(try await cache.file(for: "a")?.data == Data([1, 2]))
            #expect(try await cache.file(for: "a")?.metadata.fields == ["etag": "x"])
            try await cache.store(image, file: Data([1]), for: "b", in: .memory, encodingWith: coders)
            #expect(try await cache.data(for: "b") == nil)
        }
    }

    private func withFixture(_ body: (ImageCache) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in try await body(ImageCache(folder: folder.path)) }
    }
}
