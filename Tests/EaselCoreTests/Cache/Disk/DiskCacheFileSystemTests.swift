import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

/// The checks that a disk cache passes on every file system.
struct FileSystemPromises {
    private static let data = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private static let metadata = CacheMetadata(fields: ["ETag": "\"a\""], extended: Data(count: 300))
    let system: SmallFileSystem

    private func withFixture(
        _ configure: (inout DiskCache.Configuration) -> Void = { _ in },
        _ body: (DiskCacheFixture) async throws -> Void
    ) async throws {
        try await DiskCacheFixture.with(on: system, configure, body)
    }

    /// Checks that this cache and another one read entries with their metadata, and that sizes count whole files.
    func roundTrip() async throws {
        try await withFixture { fixture in
            let key = CacheKey("https://images.test/a.jpg")
            for _ in 0..<2 { try await fixture.cache.store(Self.data, metadata: Self.metadata, for: key) }
            for cache in [fixture.cache, fixture.another()] {
                let file = try #require(try await cache.file(for: key))
                #expect(file.data == Self.data && file.metadata.fields == Self.metadata.fields)
                #expect(file.metadata.extended == Self.metadata.extended && file.metadata.created != nil)
                #expect(try await cache.metadata(for: key) == file.metadata)
                if let resident = cache.residentFile(for: key) { #expect(resident.data == Self.data) }
            }
            let path = try #require(await fixture.cache.path(for: key))
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(bytes.prefix(Self.data.count) == Self.data)
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: bytes.count))
            #expect(await fixture.cache.verify() == .init(entries: 1, torn: 0, removed: 0, bytes: bytes.count))
            try await fixture.cache.remove(key)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    /// Checks that a changed or missing byte is a miss.
    func damage() async throws {
        try await withFixture { fixture in
            for length in [0, 50_000, 100_000] {
                try await fixture.cache.store(Self.data, for: "a")
                try fixture.damage("a") { try $0.flipBit(length * 7) }
                #expect(try await fixture.cache.data(for: "a") == nil)
                try await fixture.cache.store(Self.data, for: "a")
                try fixture.damage("a") { try $0.setLength(length) }
                let data = try await fixture.cache.data(for: "a")
                // With the record in an attribute, the file is the payload.
                #expect(data == nil || data == Self.data && length == Self.data.count)
            }
        }
    }

    /// Checks that replacing metadata keeps the bytes and their creation date.
    func replacedMetadata() async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            let before = try #require(try await fixture.cache.metadata(for: "a")?.created)
            try await fixture.cache.setMetadata(Self.metadata, for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data && file.metadata.fields == Self.metadata.fields)
            #expect(file.metadata.created == before)
        }
    }

    /// Checks that names that the file system does not allow can be keys.
    func oddNames() async throws {
        try await withFixture { fixture in
            for text in ["https://images.test/a.b%3Fc", "https://images.test/a.%22*%3C", "https://images.test/a. "] {
                let key = CacheKey(text)
                try await fixture.cache.store(Self.data, for: key)
                #expect(try await fixture.cache.data(for: key) == Self.data, "\(key.fileName)")
                try await fixture.cache.setMetadata(Self.metadata, for: key)
                #expect(try await fixture.cache.metadata(for: key)?.fields == Self.metadata.fields)
                try await fixture.cache.remove(key)
                #expect(try await fixture.cache.data(for: key) == nil)
            }
        }
    }

    /// Checks that a read renews an entry for expiry and eviction.
    func use() async throws {
        try await withFixture {
            $0.maximumAge = .seconds(1_000)
            $0.maximumCount = 3
            $0.keptShare = 1
        } _: { fixture in
            for name in ["a", "b", "c"] { try await fixture.cache.store(Self.data, for: CacheKey(name)) }
            await fixture.cache.settle()
            for name in ["a", "b", "c"] {
                try fixture.setAges(CacheKey(name), accessed: 900, modified: 900)
            }
            #expect(try await fixture.cache.data(for: "b") == Self.data)
            #expect(try fixture.age(of: CacheKey("b").fileName) < 10)
            try await fixture.cache.store(Self.data, for: "d")
            #expect(await fixture.present(["a", "b", "c", "d"]) == ["b", "d"])
            try fixture.setAges("d", accessed: 2_000, modified: 2_000)
            #expect(try await fixture.cache.data(for: "d") == nil)
        }
    }

    /// Checks that the creation date survives new metadata.
    func creation() async throws {
        try await withFixture {
            $0.maximumAge = .seconds(1)
            $0.expiration = .creation
        } _: { fixture in
            var record = DiskRecord(of: Self.data, created: Date(timeIntervalSinceNow: -1_000))
            record.details = Self.metadata.bytes
            let name = CacheKey("a").fileName
            try fixture.folder.write(Array(Self.data + record.trailer), to: name)
            #expect(await !fixture.cache.contains("a"))
            #expect(try await fixture.cache.metadata(for: "a") == nil)
            #expect(await fixture.another { $0.maximumAge = .seconds(2_000) }.contains("a"))
            await fixture.cache.trim()
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    /// Checks that decoded images are stored.
    func otherFiles() async throws {
        try await system.with { folder in
            let image = try DecodedFixture.image()
            let store = DecodedStore(folder: folder.path + "/decoded", configuration: .init())
            #expect(try await store.store(image, for: "a"))
            let cached = try #require(await store.image(for: "a"))
            #expect(PixelDifference(cached.image.pixels, image.image.pixels).maximum == 0)
            #expect(cached.metadata.fields == image.metadata.fields)
        }
    }

    /// Checks that a copy of the file without attributes, on `other`, is read with its metadata.
    func copied(to other: SmallFileSystem?) async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.metadata, for: "a")
            try await DiskCacheFixture.with(on: other, { _ in }) { copy in
                try copy.folder.write(
                    Array(Data(contentsOf: URL(filePath: fixture.folder[CacheKey("a").fileName]))),
                    to: CacheKey("a").fileName)
                let file = try #require(try await copy.cache.file(for: "a"))
                #expect(file.data == Self.data && file.metadata.fields == Self.metadata.fields)
                #expect(try await copy.cache.metadata(for: "a") == file.metadata)
                try await copy.cache.setMetadata(CacheMetadata(fields: ["ETag": "b"]), for: "a")
                #expect(try await copy.cache.file(for: "a")?.data == Self.data)
                #expect(try await copy.cache.metadata(for: "a")?.fields == ["ETag": "b"])
            }
        }
    }
}

@Suite("Disk cache: file systems without extended attributes", .withSmallFileSystem)
struct DiskCacheFileSystemTests {
    @Test("entries work on ramfs")
    func ramfs() async throws { try await FileSystemPromises(system: .withoutAttributes).all() }

    @Test("entries work on ext4 with `nouser_xattr`", .with(.nouserXattr, from: "e2fsprogs"))
    func nouserXattr() async throws { try await FileSystemPromises(system: .nouserXattr).all() }

    @Test("entries work on FAT", .with(.fat, from: "dosfstools"))
    func fat() async throws { try await FileSystemPromises(system: .fat).all() }

    @Test("entries work on FAT through FUSE", .with(.programFAT, from: "fusefat"))
    func programFAT() async throws { try await FileSystemPromises(system: .programFAT).all() }

    @Test("entries work on exFAT through FUSE", .with(.programExFAT, from: "exfat-fuse"))
    func programExFAT() async throws { try await FileSystemPromises(system: .programExFAT).all() }

    @Test("entries work on an overlay", .with(.overlay, from: "mount"))
    func overlay() async throws { try await FileSystemPromises(system: .overlay).all() }

    @Test("entries work on a file system with attributes")
    func tmpfs() async throws { try await FileSystemPromises(system: .bytes(16 << 20)).all() }

    @Test("a folder copied to a file system with attributes keeps entries and metadata")
    func copiedToAttributes() async throws {
        try await FileSystemPromises(system: .withoutAttributes).copied(to: nil)
    }

    @Test("a folder copied to another file system without attributes keeps entries and metadata")
    func copiedBetween() async throws {
        try await FileSystemPromises(system: .withoutAttributes).copied(to: .withoutAttributes)
    }

    @Test("an entry copied without its attributes is a miss without attribute support, otherwise it is read")
    func lostAttributes() async throws {
        try await DiskCacheFixture.with { original in
            let data = Data(repeating: 7, count: 1_000)
            try await original.cache.store(data, for: "a")
            let bytes = try original.folder.bytes(of: CacheKey("a").fileName)
            try await DiskCacheFixture.with(on: .withoutAttributes, { _ in }) { copy in
                try copy.folder.write(Array(bytes), to: CacheKey("a").fileName)
                #expect(try await copy.cache.data(for: "a") == nil)
            }
            try await DiskCacheFixture.with { copy in
                try copy.folder.write(Array(bytes), to: CacheKey("a").fileName)
                #expect(try await copy.cache.data(for: "a") == data)
            }
        }
    }

    @Test("files of other programs are read from a read-only folder (S184)")
    func readOnly() async throws {
        try await SmallFileSystem.withoutAttributes.with { folder in
            try folder.write([1, 2, 3], to: CacheKey("a").fileName)
            try await DiskCacheFixture.with {
                $0.readOnlyFolders = [folder.path]
            } _: { own async throws in
                #expect(try await own.cache.data(for: "a") == Data([1, 2, 3]))
                #expect(await own.cache.contains("a"))
            }
        }
    }
}

extension FileSystemPromises {
    fileprivate func all() async throws {
        try await roundTrip()
        try await damage()
        try await replacedMetadata()
        try await oddNames()
        try await use()
        try await creation()
        try await otherFiles()
    }
}
