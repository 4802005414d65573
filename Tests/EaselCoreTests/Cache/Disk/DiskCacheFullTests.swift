import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselCore
@testable import cache_writer

@Suite("Disk cache: a full disk", .withSmallFileSystem)
struct DiskCacheFullTests {
    private static let size = 2 << 20

    private func withFixture(_ body: (DiskCacheFixture) async throws -> Void) async throws {
        try await DiskCacheFixture.with(on: .bytes(Self.size), { _ in }, body)
    }

    @Test("a disk full of entries evicts some, and the others stay intact")
    func ownEntries() async throws {
        try await withFixture { fixture in
            for number in 0..<60 {
                try await fixture.cache.store(
                    Data(repeating: UInt8(number), count: 150_000), for: CacheKey("\(number)"))
            }
            #expect(try await fixture.cache.data(for: "59") == Data(repeating: 59, count: 150_000))
            await fixture.cache.settle()
            let verified = await fixture.cache.verify()
            #expect(verified.torn == 0)
            #expect((5...14).contains(verified.entries))
            #expect(fixture.cache.usage.bytes == verified.bytes)
            #expect(try fixture.folder.names().count == verified.entries)
        }
    }

    @Test("on a disk full of foreign files a store is an error, and older entries stay intact")
    func foreignData() async throws {
        try await withFixture { fixture in
            let older: [CacheKey] = ["a", "b", "c", "d"]
            for key in older { try await fixture.cache.store(Data(repeating: 1, count: 5_000), for: key) }
            try fixture.folder.fillDisk("others")
            for key in ["a", "new"] as [CacheKey] {
                let error = await #expect(throws: ImageError.self) {
                    try await fixture.cache.store(Data(repeating: 2, count: 200_000), for: key)
                }
                #expect(error?.code == .unwritable)
                #expect(error.map { "\($0)".contains("no space left on device") } == true)
            }
            for key in older { #expect(try await fixture.cache.data(for: key) == Data(repeating: 1, count: 5_000)) }
            #expect(try await fixture.cache.data(for: "new") == nil)
            #expect(try fixture.folder.names() == Set(older.map(\.fileName) + ["others"]))
            #expect(await fixture.cache.statistics() == .init(entries: 4, bytes: 20_000))
        }
    }

    @Test("on a disk full of foreign files, half of the entries are evicted if this is enough")
    func mostlyForeignData() async throws {
        try await withFixture { fixture in
            for number in 0..<8 {
                try await fixture.store(CacheKey("\(number)"), length: 40_000, used: Double(100 - number))
            }
            try fixture.folder.fillDisk("others")
            try await fixture.cache.store(Data(count: 100_000), for: "new")
            #expect(await fixture.present(["0", "3", "4", "7", "new"]) == ["4", "7", "new"])
        }
    }

    @Test("on a disk full of foreign files, as many entries are evicted as the new one needs")
    func largeEntry() async throws {
        try await withFixture { fixture in
            for number in 0..<8 {
                try await fixture.store(CacheKey("\(number)"), length: 40_960, used: Double(100 - number))
            }
            try fixture.folder.fillDisk("others")
            try await fixture.cache.store(Data(count: 6 * 40_960), for: "new")
            #expect(await fixture.present(["0", "5", "6", "7", "new"]) == ["6", "7", "new"])
        }
    }

    @Test("metadata that does not fit is an error, and the old metadata stays")
    func metadata() async throws {
        try await withFixture { fixture in
            let old = CacheMetadata(fields: ["ETag": "old"])
            try await fixture.cache.store(Data(count: 5_000), metadata: old, for: "a")
            try fixture.folder.fillDisk("others")
            let large = CacheMetadata(extended: Data(count: 300_000))
            await #expect(throws: ImageError.self) { try await fixture.cache.setMetadata(large, for: "a") }
            #expect(try await fixture.cache.file(for: "a")?.metadata.fields == old.fields)
            #expect(try fixture.folder.names() == [CacheKey("a").fileName, "others"])
        }
    }

    @Test("a load returns an image that cannot be stored, and warns once")
    func load() async throws {
        try await withFixture { fixture in
            try fixture.folder.fillDisk("others")
            let log = WarningLog()
            let coder = TestCoder()
            var configuration = ImageManager.Configuration()
            configuration.cache = ImageCache(folder: fixture.folder.path)
            configuration.loader = ScriptedLoader()
            configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
            configuration.observers = [log]
            let response = try await ImageManager(configuration: configuration).load(ManagerFixture.request()).response
            #expect(response.image.size == PixelSize(8, 6))
            #expect(log.warnings.count == 1)
            guard case .notStored(let error) = log.warnings.first else {
                Issue.record("\(log.warnings)")
                return
            }
            #expect("\(error)".contains("no space left on device"))
            #expect(try fixture.folder.names() == ["others"])
        }
    }
}
