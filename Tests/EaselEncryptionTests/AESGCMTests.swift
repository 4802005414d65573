#if Encryption
import EaselCore
import EaselEncryption
import Foundation
import Testing

@Suite("Encryption at rest")
struct AESGCMTests {
    private let key = Data(0..<32)
    private let secret = Data("an image that nobody else may see".utf8)

    @Test("open returns the sealed data, and sealing again returns different bytes")
    func roundTrip() throws {
        let encryption = try AESGCM(key: key)
        let sealed = try encryption.seal(secret, context: Data("a".utf8))
        let again = try encryption.seal(secret, context: Data("a".utf8))
        #expect(sealed != again)
        #expect(sealed.count == secret.count + 28)
        #expect(encryption.open(sealed, context: Data("a".utf8)) == secret)
    }

    @Test("another key, another context or any changed bit opens nothing")
    func refused() throws {
        let encryption = try AESGCM(key: key)
        let sealed = try encryption.seal(secret, context: Data("a".utf8))
        #expect(try AESGCM(key: AESGCM.newKey()).open(sealed, context: Data("a".utf8)) == nil)
        #expect(encryption.open(sealed, context: Data("b".utf8)) == nil)
        for byte in sealed.indices {
            var changed = sealed
            changed[byte] ^= 1
            #expect(encryption.open(changed, context: Data("a".utf8)) == nil)
        }
        #expect(encryption.open(Data(), context: Data()) == nil)
    }

    @Test("keys of other lengths are refused", arguments: [0, 15, 31, 33])
    func keyLength(count: Int) {
        #expect(throws: ImageError.self) { try AESGCM(key: Data(count: count)) }
    }

    @Test("an encrypted disk cache is readable in a later session, and only with its key")
    func diskCache() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("easel-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func cache(_ key: Data?) throws -> DiskCache {
            var configuration = DiskCache.Configuration()
            configuration.encryption = try key.map { try AESGCM(key: $0) }
            return DiskCache(folder: folder, configuration: configuration)
        }
        let metadata = CacheMetadata(fields: ["etag": "\"secret tag\""], extended: Data("secret note".utf8))
        try await cache(key).store(secret, metadata: metadata, for: "a")

        let file = try await cache(key).file(for: "a")
        #expect(file?.data == secret)
        #expect(file?.metadata.fields == metadata.fields)
        #expect(file?.metadata.extended == metadata.extended)
        // Neither no key nor another key reads the entry, and neither removes it.
        #expect(try await cache(nil).file(for: "a") == nil)
        let other = try await cache(AESGCM.newKey()).file(for: "a")
        #expect(other == nil)
        let verification = try await cache(nil).verify()
        #expect(verification.entries == 1 && verification.torn == 0)
        #expect(try await cache(key).data(for: "a") == secret)

        let path = try #require(await cache(key).path(for: "a"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.range(of: Data("image".utf8)) == nil)
    }

    @Test("an entry under another entry's file name is not returned")
    func swapped() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("easel-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = DiskCache.Configuration()
        configuration.encryption = try AESGCM(key: key)
        let cache = DiskCache(folder: folder, configuration: configuration)
        try await cache.store(secret, for: "a")
        try FileManager.default.moveItem(
            at: folder.appendingPathComponent(CacheKey("a").fileName),
            to: folder.appendingPathComponent(CacheKey("b").fileName))
        #expect(try await cache.data(for: "b") == nil)
    }

    @Test("an entry that was stored without encryption is not returned")
    func plain() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("easel-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await DiskCache(folder: folder).store(secret, for: "a")
        var configuration = DiskCache.Configuration()
        configuration.encryption = try AESGCM(key: key)
        #expect(try await DiskCache(folder: folder, configuration: configuration).data(for: "a") == nil)
    }
}
#endif
