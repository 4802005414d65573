import Testing

@testable import EaselCore

import EaselFoundation

// Only where the system tells the names that come into a folder.
@Suite("Folder watch: what is not in a folder", .enabled { await areNamesTold() })
struct FolderWatchTests {
    private static let key = CacheKey("a")

    @Test("is not known before the folder was listed, and is afterwards")
    func listed() async throws {
        try await with { folder, outer, watch in
            try outer.write([], to: CacheKey("there").fileName)
            #expect(!watch.isMissing(Self.key))
            try list(folder, for: watch)
            #expect(watch.isMissing(Self.key))
            #expect(!watch.isMissing("there"))
        }
    }

    @Test("a file that is made is there at once")
    func created() async throws {
        try await with { folder, _, watch in
            try list(folder, for: watch)
            _ = try folder.create(Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("a file that gets its name later is there at once, and not before")
    func named() async throws {
        try await with { folder, _, watch in
            try list(folder, for: watch)
            // Where there are no such files it is made with a name, and renamed.
            var new = try NewFile(in: folder, isNamed: false)
            #expect(watch.isMissing(Self.key))
            #expect(try new.take(new: Self.key.fileName))
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("a file that is renamed within the folder is there at once, and not before")
    func renamed() async throws {
        try await with { folder, _, watch in
            try list(folder, for: watch)
            _ = try folder.create("other")
            #expect(watch.isMissing(Self.key))
            try folder.rename("other", to: Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("a file that is moved there from another folder is there at once")
    func moved() async throws {
        try await with { folder, outer, watch in
            try list(folder, for: watch)
            let other = try Folder(path: outer["other"], creating: true)
            _ = try other.create(Self.key.fileName)
            #expect(watch.isMissing(Self.key))
            try other.move(Self.key.fileName, to: folder)
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("a file that comes while the folder is listed is there")
    func duringListing() async throws {
        try await with { folder, _, watch in
            let listing = try #require(watch.beginListing())
            let names = try folder.names()
            _ = try folder.create(Self.key.fileName)
            watch.end(listing, names)
            #expect(!watch.isMissing(Self.key))
            #expect(watch.isMissing("other"))
        }
    }

    @Test("a file that has gone is asked for once more, which is no harm")
    func removed() async throws {
        try await with { folder, _, watch in
            _ = try folder.create(Self.key.fileName)
            try list(folder, for: watch)
            try folder.remove(Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("what one watch of a folder knows the others know, however it was opened")
    func shared() async throws {
        try await with { folder, outer, watch in
            let again = try Folder(path: outer.path + "/.", creating: false)
            let second = try #require(FolderWatch(again, feed: watch.feed))
            try list(folder, for: watch)
            #expect(second.isMissing(Self.key))
            #expect(second.beginListing() == nil)
            _ = try again.create(Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
            #expect(!second.isMissing(Self.key))
        }
    }

    @Test("of two watches of a folder one ends, and the other goes on")
    func oneEnds() async throws {
        try await with { folder, outer, watch in
            let again = try Folder(path: outer.path, creating: false)
            var second = FolderWatch(again, feed: watch.feed)
            try list(folder, for: watch)
            #expect(second?.isMissing(Self.key) == true)
            second = nil
            #expect(watch.isMissing(Self.key))
            _ = try folder.create(Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
        }
    }

    @Test("a watch after the last one knows nothing of what that one knew")
    func anew() async throws {
        try await TemporaryFolder.with { outer in
            let feed = NameFeed()
            let folder = try Folder(path: outer.path, creating: false)
            var watch = FolderWatch(folder, feed: feed)
            try list(folder, for: try #require(watch))
            watch = nil
            _ = try folder.create(Self.key.fileName)
            let next = try #require(FolderWatch(folder, feed: feed))
            #expect(!next.isMissing(Self.key))
            #expect(!next.isMissing("other"))
            try list(folder, for: next)
            #expect(!next.isMissing(Self.key))
            #expect(next.isMissing("other"))
        }
    }

    @Test("folders are known each by itself")
    func folders() async throws {
        try await with { folder, outer, watch in
            let other = try Folder(path: outer["other"], creating: true)
            let second = try #require(FolderWatch(other, feed: watch.feed))
            try list(folder, for: watch)
            #expect(!second.isMissing(Self.key))
            try list(other, for: second)
            _ = try folder.create(Self.key.fileName)
            #expect(!watch.isMissing(Self.key))
            #expect(second.isMissing(Self.key))
        }
    }

    @Test("a folder that is removed and made anew is another, of which nothing is known")
    func folderAnew() async throws {
        try await with { _, outer, watch in
            let old = try Folder(path: outer["inner"], creating: true)
            let oldWatch = try #require(FolderWatch(old, feed: watch.feed))
            try list(old, for: oldWatch)
            try outer.remove("inner")
            let new = try Folder(path: outer["inner"], creating: true)
            let newWatch = try #require(FolderWatch(new, feed: watch.feed))
            #expect(!newWatch.isMissing(Self.key))
            try list(new, for: newWatch)
            _ = try new.create(Self.key.fileName)
            #expect(!newWatch.isMissing(Self.key))
        }
    }

    @Test("of a folder that is gone nothing is known any more, and no listing is made")
    func gone() async throws {
        try await with { _, outer, watch in
            var inner: Folder? = try Folder(path: outer["inner"], creating: true)
            let innerWatch = try #require(inner.flatMap { FolderWatch($0, feed: watch.feed) })
            try list(try #require(inner), for: innerWatch)
            #expect(innerWatch.isMissing(Self.key))
            try outer.remove("inner")
            // As long as it is open it is there, and nothing can come.
            inner = nil
            #expect(!innerWatch.isMissing(Self.key))
            #expect(innerWatch.beginListing() == nil)
        }
    }

    // The system keeps so many names for those who do not ask.
    @Test(
        "names that were lost, because too many came at once, leave nothing known", .enabled(if: queueLength < 100_000))
    func tooMany() async throws {
        try await with { folder, _, watch in
            try list(folder, for: watch)
            try overflow(folder)
            #expect(!watch.isMissing(Self.key))
            #expect(!watch.isMissing("other"))
            try list(folder, for: watch)
            #expect(!watch.isMissing(Self.key))
            #expect(watch.isMissing("other"))
        }
    }

    @Test("a listing during which names were lost is worth nothing", .enabled(if: queueLength < 100_000))
    func tooManyDuringListing() async throws {
        try await with { folder, _, watch in
            let listing = try #require(watch.beginListing())
            let names = try folder.names()
            try overflow(folder)
            watch.end(listing, names)
            #expect(!watch.isMissing(Self.key))
            #expect(!watch.isMissing("other"))
        }
    }

    /// Has more names come than the system keeps, and then the key's.
    private func overflow(_ folder: Folder) throws {
        // The same name twice in a row would be told once.
        _ = try folder.create("first")
        for _ in 0...queueLength / 2 {
            try folder.rename("first", to: "second")
            try folder.rename("second", to: "first")
        }
        _ = try folder.create(Self.key.fileName)
    }

    private func with(_ body: (Folder, TemporaryFolder, FolderWatch) throws -> Void) async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try body(folder, outer, try #require(FolderWatch(folder, feed: NameFeed())))
        }
    }

    private func list(_ folder: Folder, for watch: FolderWatch) throws {
        watch.end(try #require(watch.beginListing()), try folder.names())
    }
}

/// How many names the system keeps for those who do not ask.
private let queueLength: Int = {
    // Not `readFile`: the system gives such a file in one piece or not at all.
    guard let text = try? Data(contentsOf: URL(fileURLWithPath: "/proc/sys/fs/inotify/max_queued_events")) else {
        return .max
    }
    return Int(String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? "") ?? .max
}()

/// Whether the system tells the names that come into a folder.
func areNamesTold() async -> Bool {
    let isTold = try? await TemporaryFolder.with { outer in
        FolderWatch(try Folder(path: outer.path, creating: false)) != nil
    }
    return isTold == true
}
