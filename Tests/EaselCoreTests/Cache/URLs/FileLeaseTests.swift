import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Image cache: leases of files")
struct FileLeaseTests {
    private typealias Fixture = CachedURLFixture

    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13])
    private static let url = URL(string: "http://example.com/image.php?n=1") ?? URL(fileURLWithPath: "/")
    private static let key = ImageRequest(url).originalKey

    @Test("the file has the bytes of the original and the extension of its format, whatever the URL's is")
    func bytes() async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.store(Self.png, for: Self.key)
            let lease = try await fixture.cache.file(for: Self.url)
            #expect(lease.url.pathExtension == "png")
            #expect(try Data(contentsOf: lease.url) == Self.png)
        }
    }

    @Test("no trim or removal deletes the file while the lease is held; the end of the lease does")
    func deleteAfterLease() async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.store(Self.png, for: Self.key)
            var lease: FileLease? = try await fixture.cache.file(for: Self.url)
            let path = try #require(lease?.url.path)
            try await fixture.cache.removeAll()
            await fixture.cache.trimDisk()
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Self.png)
            #expect(try await fixture.cache.data(for: Self.key) == nil)
            withExtendedLifetime(lease) {}
            lease = nil
            await fixture.cache.settle()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("leases of one file are separate")
    func several() async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.store(Self.png, for: Self.key)
            let first = try await fixture.cache.file(for: Self.url)
            do { _ = try await fixture.cache.file(for: Self.url) }
            await fixture.cache.settle()
            #expect(FileManager.default.fileExists(atPath: first.url.path))
        }
    }

    @Test("a file with its record after the bytes is copied without the record")
    func copied() async throws {
        try await Fixture.with { fixture in
            let disguised = Self.png + Data("EaselEnd".utf8)
            try await fixture.cache.store(disguised, for: Self.key)
            let lease = try await fixture.cache.file(for: Self.url)
            #expect(try Data(contentsOf: lease.url) == disguised)
        }
    }

    @Test("a trim removes the leases of processes that have ended, and no others")
    func dead() async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.store(Self.png, for: Self.key)
            let lease = try await fixture.cache.file(for: Self.url)
            let leases = TemporaryFolder(path: fixture.folder[FileLease.folder])
            // No process has locked these files.
            for name in ["a.png", "1-0-1.x-png", "other"] { try leases.write([1], to: name) }
            await fixture.cache.trimDisk()
            #expect(try leases.names() == [lease.url.lastPathComponent])
        }
    }

    @Test(
        "a trim keeps a leased link and a leased copy, whatever the number of their process is here",
        arguments: [png, png + Data("EaselEnd".utf8)])
    func otherNumber(data: Data) async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.store(data, for: Self.key)
            let lease = try await fixture.cache.file(for: Self.url)
            let leases = TemporaryFolder(path: fixture.folder[FileLease.folder])
            // The largest number of a process is smaller.
            let name = "2147483646-1-1.png"
            try leases.move(lease.url.lastPathComponent, to: name)
            await fixture.cache.trimDisk()
            #expect(leases.exists(name))
            withExtendedLifetime(lease) {}
        }
    }

    @Test("a missing and a damaged file are not cached")
    func missing() async throws {
        try await Fixture.with { fixture in
            await #expect(throws: ImageError.notCached) { try await fixture.cache.file(for: Self.url) }
            try await fixture.cache.store(Self.png, for: Self.key)
            try FileHandleWriter(fixture.folder[Self.key.fileName]).flipBit(30)
            await #expect(throws: ImageError.notCached) { try await fixture.cache.file(for: Self.url) }
        }
    }

    @Test("an encrypted cache gives no lease")
    func encrypted() async throws {
        try await Fixture.with({ $0.disk.encryption = Reversed() }) { fixture in
            try await fixture.cache.store(Self.png, for: Self.key)
            await #expect(throws: ImageError.self) { try await fixture.cache.file(for: Self.url) }
            #expect(try await fixture.cache.data(for: Self.key) == Self.png)
        }
    }

    @Test("an encrypted cache has pins and tags, and their files do not contain the plain URL")
    func encryptedMarks() async throws {
        try await Fixture.with({ $0.disk.encryption = Reversed() }) { fixture in
            try await fixture.cache.pin(Fixture.url)
            #expect(try await fixture.cache.pinnedURLs() == [Fixture.url])
            let path = fixture.folder[CacheMark.pin.folder] + "/" + Fixture.request().key.digest.text
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            #expect(!text.contains("example.com"))
        }
    }
}

/// No encryption, but no plain text either.
private struct Reversed: DiskEncryption {
    func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data { Data(bytes.reversed()) }
    func open(_ sealed: Data, context: Data) -> Data? { Data(sealed.reversed()) }
}
