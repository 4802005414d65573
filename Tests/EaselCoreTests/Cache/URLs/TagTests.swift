import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Image cache: tags")
struct TagTests {
    private typealias Fixture = CachedURLFixture

    @Test("urls(tagged:) returns the URLs that were loaded with a tag, also in another process")
    func urls() async throws {
        try await Fixture.with { fixture in
            try await fixture.load { $0.cache.tags = ["album", "a/../b"] }
            try await fixture.load(Fixture.other) { $0.cache.tags = ["album"] }
            for cache in [fixture.cache, fixture.another()] {
                #expect(Set(try await cache.urls(tagged: "album")) == [Fixture.url, Fixture.other])
                #expect(try await cache.urls(tagged: "a/../b") == [Fixture.url])
                #expect(try await cache.urls(tagged: "none") == [])
            }
        }
    }

    @Test("removeAll(tagged:) removes all sizes of the URLs with the tag, and no others")
    func remove() async throws {
        try await Fixture.with { fixture in
            try await fixture.load { $0.cache.tags = ["album"] }
            try await fixture.load { $0.targetSize = .pixels(width: 2, height: 2) }
            try await fixture.load(Fixture.other) { $0.cache.tags = ["others"] }
            try await fixture.cache.removeAll(tagged: "album")
            #expect(try fixture.files() == [])
            #expect(await fixture.manager.contains(Fixture.request()) == [])
            #expect(await fixture.manager.contains(Fixture.request(Fixture.other)) == .all)
            #expect(try await fixture.cache.urls(tagged: "album") == [])
            #expect(try await fixture.cache.urls(tagged: "others") == [Fixture.other])
        }
    }

    @Test("a tag is on disk before the loader is called, so that a crash leaves no file without it")
    func order() async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path)
            let results = Recorder<[URL]>()
            let loader = ScriptedLoader { _, _ throws(ImageError) in
                let urls = try await cache.urls(tagged: "album")
                results.record(urls)
                return LoadedData(data: TestCoder.file(), source: .network)
            }
            try await Fixture.with(loader: loader) { fixture in
                let request = Fixture.request {
                    $0.cache.tags = ["album"]
                    $0.cache.imageCache = Identified(cache)
                }
                _ = try await fixture.manager.image(for: request)
            }
            #expect(results.events == [[Fixture.url]])
        }
    }

    @Test("a load that joins another adds its tag")
    func joined() async throws {
        let gate = Gate()
        try await Fixture.with(loader: .blocked(by: gate)) { fixture in
            let first = fixture.manager.load(Fixture.request { $0.cache.tags = ["first"] })
            let second = fixture.manager.load(Fixture.request { $0.cache.tags = ["second"] })
            await first.firstProgress()
            await second.firstProgress()
            gate.open()
            _ = try await (first.response, second.response)
            #expect(fixture.loader.requests.count == 1)
            #expect(try await fixture.cache.urls(tagged: "first") == [Fixture.url])
            #expect(try await fixture.cache.urls(tagged: "second") == [Fixture.url])
        }
    }

    @Test("removeAll(of:) ends the tags of the URL, and removeAll() ends all")
    func ends() async throws {
        try await Fixture.with { fixture in
            for url in [Fixture.url, Fixture.other] { try await fixture.load(url) { $0.cache.tags = ["album"] } }
            try await fixture.cache.removeAll(of: Fixture.url)
            #expect(try await fixture.cache.urls(tagged: "album") == [Fixture.other])
            try await fixture.cache.removeAll()
            #expect(try await fixture.cache.urls(tagged: "album") == [])
            #expect(try fixture.folder.names().isDisjoint(with: ["tags", "pins"]))
        }
    }

    @Test("a trim removes old tags of URLs that have no file any more, and no others")
    func prune() async throws {
        try await Fixture.with { fixture in
            for url in [Fixture.url, Fixture.other] { try await fixture.load(url) { $0.cache.tags = ["album"] } }
            try await fixture.cache.disk?.remove(Fixture.request().originalKey)
            await fixture.cache.trimDisk()
            // A load may be about to store the file.
            #expect(try await fixture.cache.urls(tagged: "album").count == 2)
            let marks = CacheMark.tag("album").folder
            for name in try FileManager.default.contentsOfDirectory(atPath: fixture.folder[marks]) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                    ofItemAtPath: fixture.folder[marks] + "/" + name)
            }
            await fixture.cache.trimDisk()
            #expect(try await fixture.cache.urls(tagged: "album") == [Fixture.other])
        }
    }

    @Test("tags change neither keys nor which loads are shared")
    func keys() {
        let tagged = Fixture.request { $0.cache.tags = ["album"] }
        #expect(tagged.key == Fixture.request().key)
        #expect(WorkKey.load(tagged) == WorkKey.load(Fixture.request()))
        #expect(WorkKey.file(tagged) == WorkKey.file(Fixture.request()))
    }

    @Test("a tag that cannot be written causes a warning, and the load succeeds")
    func unwritable() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], to: "file")
            let log = WarningLog()
            var configuration = ImageManager.Configuration()
            configuration.cache = ImageCache(folder: folder["file"])
            configuration.loader = ScriptedLoader()
            configuration.coders = CoderRegistry(decoders: [TestCoder()])
            configuration.observers = [log]
            let manager = ImageManager(configuration: configuration)
            _ = try await manager.image(for: Fixture.request { $0.cache.tags = ["album"] })
            #expect(!log.warnings.isEmpty)
        }
    }
}
