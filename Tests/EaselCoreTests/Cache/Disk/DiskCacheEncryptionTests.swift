import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: encrypted entries")
struct DiskCacheEncryptionTests {
    private static let data = Data("an image that nobody else should see".utf8)
    private static let metadata = CacheMetadata(fields: ["ETag": "secret validator"])

    @Test("entries are read as they were stored, and their files contain neither plain bytes nor plain metadata")
    func roundTrip() async throws {
        try await withEncryption { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.metadata, for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields == Self.metadata.fields)
            let written = try fixture.folder.bytes(of: CacheKey("a").fileName)
            #expect(!String(decoding: written, as: UTF8.self).contains("image"))
            let details = try #require(try fixture.record("a")).details
            #expect(!String(decoding: details, as: UTF8.self).contains("secret"))
            try await fixture.cache.setMetadata(CacheMetadata(), for: "a")
            #expect(try await fixture.cache.file(for: "a")?.metadata.fields.isEmpty == true)
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("entries are misses for a cache without the key or with another key, and are not removed")
    func otherKeys() async throws {
        try await withEncryption { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            for encryption in [nil, Masking(mask: 0x77)] {
                let other = fixture.another { $0.encryption = encryption }
                #expect(try await other.data(for: "a") == nil)
                #expect(await other.verify().torn == 0)
            }
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("a plain entry is a miss for a cache that encrypts, and is not removed")
    func plain() async throws {
        try await withEncryption { fixture in
            let plain = fixture.another { $0.encryption = nil }
            try await plain.store(Self.data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try await plain.data(for: "a") == Self.data)
        }
    }

    @Test(
        "metadata set by a cache with other encryption has no effect on an entry",
        arguments: [CacheMetadata(), CacheMetadata(extended: Data(count: 300_000))])
    func otherMetadata(metadata: CacheMetadata) async throws {
        try await withEncryption { fixture in
            let plain = fixture.another { $0.encryption = nil }
            let masked = fixture.another { $0.encryption = Masking(mask: 0x77) }
            for (owner, other) in [(fixture.cache, plain), (plain, fixture.cache), (masked, fixture.cache)] {
                try await owner.store(Self.data, metadata: Self.metadata, for: "a")
                try await other.setMetadata(metadata, for: "a")
                #expect(try await owner.file(for: "a")?.metadata.fields == Self.metadata.fields)
            }
        }
    }

    @Test("an entry moved to another key is a miss, even with the same encryption key")
    func exchanged() async throws {
        try await withEncryption { fixture in
            for key in ["a", "b"] as [CacheKey] { try await fixture.cache.store(Self.data, for: key) }
            let folder = try Folder(path: fixture.folder.path, creating: false)
            try folder.rename(CacheKey("a").fileName, to: CacheKey("b").fileName)
            #expect(try await fixture.cache.data(for: "b") == nil)
        }
    }

    @Test("a damaged entry is a miss and is removed (B49)")
    func damaged() async throws {
        try await withEncryption { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try fixture.damage("a") { try $0.flipBit(20) }
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    private func withEncryption(_ body: (DiskCacheFixture) async throws -> Void) async throws {
        try await DiskCacheFixture.with({ $0.encryption = Masking(mask: 0x5A) }, body)
    }

    /// Prepends the context and flips bits. Not secure, but sufficient for a test.
    private struct Masking: DiskEncryption {
        let mask: UInt8

        func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data {
            Data([mask, UInt8(truncatingIfNeeded: context.count)]) + context + Data(bytes.map { $0 ^ mask })
        }

        func open(_ sealed: Data, context: Data) -> Data? {
            let head = Data([mask, UInt8(truncatingIfNeeded: context.count)]) + context
            return sealed.starts(with: head) ? Data(sealed.dropFirst(head.count).map { $0 ^ mask }) : nil
        }
    }
}
