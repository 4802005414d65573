import Synchronization
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: foreign files")
struct DiskCacheForeignFilesTests {
    private static let foreign: Set<String> = [
        "notes.txt", ".hidden", "0cc175b9c0f1b6a831c399e26977266", "0cc175b9c0f1b6a831c399e2697726610",
        "0CC175B9C0F1B6A831C399E269772661", "0cc175b9c0f1b6a831c399e26977266g.png",
        "0cc175b9c0f1b6a831c399e269772661-png",
        ".tmp-notes", ".tmp-2147483647", ".tmp-", "tmp-0CC175B9-C0F1-4A83-9C39-9E2697726610",
        ".tmp-0CC175B9-C0F1-4A83-9C39-9E2697726610x",
    ]

    @Test("foreign files are neither counted nor removed (B51)")
    func untouched() async throws {
        try await DiskCacheFixture.with(maximumBytes: 10, maximumAge: .seconds(0)) { fixture in
            for name in Self.foreign { try fixture.folder.write([1, 2, 3], to: name) }
            try await fixture.cache.store(Data([1]), for: "https://images.test/a")
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: 1))
            #expect(await fixture.cache.verify().entries == 1)
            await fixture.cache.trim()
            try await fixture.cache.removeAll()
            #expect(try fixture.folder.names() == Self.foreign)
        }
    }

    @Test("temporary files of writers that have ended are removed after the first store, others are not (B51)")
    func temporaries() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1], to: NewFile.prefix + UUID().uuidString)
            let living = try NewFile(in: try Folder(path: fixture.folder.path, creating: false))
            try await fixture.cache.store(Data([1]), for: "a")
            await fixture.cache.settle()
            #expect(try fixture.folder.names().count == 2)
            #expect(living.byteCount == 0)
        }
    }

    @Test("no store leaves a temporary file, whether it succeeds or fails (X070)")
    func nothingLeft() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.makeFolder(CacheKey("taken").fileName)
            for number in 0..<20 {
                try await fixture.cache.store(Data([1]), for: CacheKey("\(number % 3)"))
                try? await fixture.cache.store(Data([1]), for: "taken")
            }
            #expect(try fixture.folder.names().allSatisfy { !$0.hasPrefix(".tmp") })
            #expect(try fixture.folder.names().count == 4)
        }
    }
}
