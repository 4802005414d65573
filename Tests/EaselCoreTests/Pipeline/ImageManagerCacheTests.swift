import EaselCore
import EaselFoundation
import EaselTesting
import TestSupport
import Testing

@Suite("Manager: the caches")
struct ImageManagerCacheTests {
    @Test("an image in memory is available before the call returns (P018)")
    func memoryHitIsSynchronous() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        let task = fixture.manager.load(request)
        #expect(!fixture.manager.isRunning)
        #expect(try await task.response.source == .memory)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a file on disk is decoded, and its image is stored in memory (S126)")
    func diskHitIsPromoted() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        fixture.cache.put(TestCoder.file(), for: request.originalKey)
        #expect(try await fixture.manager.load(request).response.source == .disk)
        #expect(try await fixture.manager.load(request).response.source == .memory)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("an untransformed download is written to disk once (X053 is not copied)")
    func originalIsStoredOnce() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        #expect(fixture.cache.storedFiles == [request.originalKey])
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file())
    }

    @Test("a thumbnail is stored under its own key, and the original file under the URL's (X052)")
    func variantAndOriginalAreStored() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }
        _ = try await fixture.manager.load(request).response
        #expect(Set(fixture.cache.storedFiles) == [request.key, request.originalKey])
        #expect(fixture.cache.files[request.key] == TestCoder.file(width: 4, height: 3))
        #expect(fixture.cache.imageKeys == [request.key])
    }

    @Test("a stored thumbnail is used without the original (X044)")
    func storedVariantIsUsed() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }
        fixture.cache.put(TestCoder.file(width: 4, height: 3), for: request.key)
        let response = try await fixture.manager.load(request).response
        #expect(response.source == .disk)
        #expect(response.image.size == PixelSize(4, 3))
    }

    @Test("an original on disk is decoded to a thumbnail without a download (X045)")
    func originalOnDiskIsUsed() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }
        fixture.cache.put(TestCoder.file(), for: request.originalKey)
        #expect(try await fixture.manager.load(request).response.image.size == PixelSize(4, 3))
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("fromCacheOnly fails on a miss without a load (X007, B105)")
    func cacheOnlyMiss() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request().adding(.fromCacheOnly)
        #expect(await fixture.manager.load(request).outcome.error == .notCached)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("fromLoaderOnly bypasses the caches and writes to them (X008, B105)")
    func loaderOnly() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        fixture.cache.put(TestCoder.file(value: 1), for: request.originalKey)
        _ = try await fixture.manager.load(request.adding(.fromLoaderOnly)).response
        #expect(fixture.loader.requests.count == 1)
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file())
    }

    @Test("refreshCached delivers the cached image and ends once with the new one (R002, S173)")
    func refreshCached() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request().adding(.refreshCached)
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        var events: [String] = []
        for event in await fixture.manager.load(request).allEvents {
            switch event {
            case .cached(let response): events.append("cached \(response.image.pixels[0, 0].blue)")
            case .finished(let result): events.append("finished \(try result.get().image.pixels[0, 0].blue)")
            case .progress, .preview: break
            }
        }
        #expect(events == ["cached 7", "finished 255"])
    }

    @Test("queryMemoryData returns the file's bytes with an image from memory (X005)")
    func queryMemoryData() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        let response = try await fixture.manager.load(request.adding(.queryMemoryData)).response
        #expect(response.source == .memory)
        #expect(response.data == TestCoder.file())
    }

    @Test(
        "an image is stored only in the levels of the request (B105)",
        arguments: [
            [] as CacheLevels, .memory, .disk, .all,
        ])
    func storeLevels(levels: CacheLevels) async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.cache.store = levels }
        _ = try await fixture.manager.load(request).response
        #expect(fixture.cache.imageKeys.isEmpty == !levels.contains(.memory))
        #expect(fixture.cache.files.isEmpty == !levels.contains(.disk))
    }

    @Test("a cache that cannot be written only produces warnings")
    func unwritableCache() async throws {
        let failure = ImageError.unwritable(path: "/cache", reason: "no space left on device")
        let fixture = ManagerFixture(cache: ScriptedCache(failure: failure))
        _ = try await fixture.manager.load(try ManagerFixture.request()).response
        #expect(fixture.log.warnings == [.notRead(failure), .notStored(failure)])
    }

    @Test("a damaged file in the cache is removed and downloaded again (B99)")
    func damagedEntry() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        fixture.cache.put(TestCoder.file().prefix(5), for: request.originalKey)
        #expect(try await fixture.manager.load(request).response.source == .network)
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file())
        #expect(fixture.log.warnings == [.damagedEntry(.badData("The test image is damaged."))])
    }

    @Test("a file that cannot be decoded is not cached (P014)")
    func undecodableIsNotCached() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file().prefix(5)))
        let outcome = await fixture.manager.load(try ManagerFixture.request()).outcome
        #expect(outcome.error == .badData("The test image is damaged."))
        #expect(fixture.cache.files.isEmpty)
        #expect(fixture.cache.imageKeys.isEmpty)
    }

    @Test("a cached file that is no image is fetched again, also if only the file is needed")
    func fileIsNoImage() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file()))
        let request = try ManagerFixture.request()
        fixture.cache.put(Data("<html>".utf8), for: request.originalKey)
        #expect(try await fixture.manager.data(for: request).data == TestCoder.file())
    }

    @Test("the failure of a file that is no image is remembered, also if only the file is needed")
    func failureOfFile() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader(file: Data("<html>".utf8)))
        for _ in 0..<2 {
            await #expect(throws: ImageError.self) {
                try await fixture.manager.data(for: try ManagerFixture.request())
            }
        }
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a file loaded without its image is cached only if it can be decoded (P014)", arguments: [7, 5])
    func fileAlone(length: Int) async throws {
        let file = TestCoder.file().prefix(length)
        let fixture = ManagerFixture(loader: ScriptedLoader(file: file))
        #expect(try await fixture.manager.data(for: try ManagerFixture.request()).data == file)
        #expect(fixture.cache.files.isEmpty == (length < 7))
    }
}
