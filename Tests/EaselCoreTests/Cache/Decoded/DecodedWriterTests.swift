import EaselTesting
import Testing

@testable import EaselCore

@Suite("Decoded tier: written at rest", .timeLimit(.minutes(1)))
struct DecodedWriterTests {
    private let clock = ManualClock()

    private func with(_ body: (ImageCache, DecodedStore) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path) { $0.use(clock) }
            try await body(cache, try #require(cache.decoded))
            // Nothing is written into a folder that has gone.
            try await cache.removeAll()
            await cache.settle()
        }
    }

    @Test("it is on disk when things have come to rest, and not before")
    func rest() async throws {
        try await with { cache, store in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            await clock.waitForSleepers()
            #expect(await !store.contains("a"))
            clock.advance(by: .milliseconds(150))
            while await !store.contains("a") { await Task.yield() }
            let found = try #require(await store.image(for: "a"))
            #expect(PixelDifference(found.image.pixels, image.image.pixels).maximum == 0)
            #expect(found.metadata.fields == image.metadata.fields)
        }
    }

    @Test("another that somebody waits for makes it wait anew, and one of low priority does not")
    func latest() async throws {
        try await with { cache, store in
            let images = try (0..<3).map { _ in try DecodedFixture.image() }
            #expect(cache.storeDecodedWhenIdle(images[0], for: "0"))
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(100))
            #expect(cache.storeDecodedWhenIdle(images[1], for: "1"))
            clock.advance(by: .milliseconds(149))
            #expect(cache.storeDecodedWhenIdle(images[2], for: "2", priority: .low))
            await clock.waitForSleepers()
            #expect(await store.statistics().entries == 0)
            clock.advance(by: .milliseconds(1))
            while await store.statistics().entries < 3 { await Task.yield() }
            withExtendedLifetime(images) {}
        }
    }

    @Test("nothing waits longer than five seconds, however often something comes")
    func patience() async throws {
        try await with { cache, store in
            let images = try (0..<50).map { _ in try DecodedFixture.image() }
            for (number, image) in images.enumerated() {
                #expect(cache.storeDecodedWhenIdle(image, for: CacheKey("\(number)")))
                await clock.waitForSleepers()
                #expect(await store.statistics().entries == 0)
                clock.advance(by: .milliseconds(100))
            }
            while await !store.contains("0") { await Task.yield() }
            withExtendedLifetime(images) {}
        }
    }

    @Test("of several for one key the last is written")
    func coalesced() async throws {
        try await with { cache, store in
            let (old, new) = (try DecodedFixture.image(60, 40), try DecodedFixture.image(30, 20))
            #expect(cache.storeDecodedWhenIdle(old, for: "a"))
            #expect(cache.storeDecodedWhenIdle(new, for: "a"))
            await cache.settle()
            #expect(await store.image(for: "a")?.image.size == new.image.size)
            withExtendedLifetime((old, new)) {}
        }
    }

    @Test("meanwhile it is found as if it were")
    func meanwhile() async throws {
        try await with { cache, _ in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            #expect(await cache.contains("a", in: .disk) == .disk)
            let found = try #require(await cache.decodedImage(for: "a"))
            #expect(found.image.metadata == image.image.metadata && found.metadata == image.metadata)
            withExtendedLifetime(image) {}
        }
    }

    @Test("one of low priority, which nobody waits for, does not wait where nothing else came")
    func low() async throws {
        try await with { cache, store in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a", priority: .low))
            while await !store.contains("a") { await Task.yield() }
            withExtendedLifetime(image) {}
        }
    }

    @Test("whoever waits for what goes on behind the back of stores has it written at once")
    func settled() async throws {
        try await with { cache, store in
            let images = try (0..<3).map { _ in try DecodedFixture.image() }
            for (number, image) in images.enumerated() {
                #expect(cache.storeDecodedWhenIdle(image, for: CacheKey("\(number)")))
            }
            await cache.settle()
            #expect(await store.statistics().entries == 3)
        }
    }

    @Test("the background, which takes memory away, has it written before (X095)")
    func background() async throws {
        try await with { cache, store in
            let image = try DecodedFixture.image()
            cache.store(image.image, for: "a")
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            await cache.enterBackground()
            #expect(await store.contains("a"))
        }
    }

    @Test("one that nobody holds any more is not kept alive, and not written")
    func unheld() async throws {
        try await with { cache, store in
            var image: CachedImage? = try DecodedFixture.image()
            if let image { #expect(cache.storeDecodedWhenIdle(image, for: "a")) }
            image = nil
            #expect(await cache.decodedImage(for: "a") == nil)
            await cache.settle()
            #expect(await store.statistics().entries == 0)
        }
    }

    @Test("what is removed is not written afterwards, one alone or all (S131)")
    func removed() async throws {
        try await with { cache, store in
            let images = try (0..<3).map { _ in try DecodedFixture.image() }
            for (number, image) in images.enumerated() {
                #expect(cache.storeDecodedWhenIdle(image, for: CacheKey("\(number)")))
            }
            try await cache.remove("0")
            #expect(await cache.contains("0", in: .disk).isEmpty)
            try await cache.removeAll(from: .memory)
            #expect(await cache.contains("1", in: .disk) == .disk)
            try await cache.removeAll()
            await cache.settle()
            #expect(await store.statistics().entries == 0)
            withExtendedLifetime(images) {}
        }
    }

    @Test(
        "what is removed while it is written is gone afterwards, and what is stored then takes the place of what is written"
    )
    func removedMeanwhile() async throws {
        try await with { cache, store in
            let (old, new) = (try DecodedFixture.image(60, 40), try DecodedFixture.image(30, 20))
            for _ in 0..<50 {
                #expect(cache.storeDecodedWhenIdle(old, for: "a"))
                async let first: Void = cache.settle()
                try await cache.remove("a")
                await first
                #expect(await !store.contains("a"))
                #expect(cache.storeDecodedWhenIdle(old, for: "a"))
                async let second: Void = cache.settle()
                #expect(try await cache.storeDecoded(new, for: "a"))
                await second
                #expect(await store.image(for: "a")?.image.size == new.image.size)
            }
            withExtendedLifetime(old) {}
        }
    }

    @Test("one that is stored at once takes the place of what waits")
    func replaced() async throws {
        try await with { cache, store in
            let old = try DecodedFixture.image(60, 40)
            let new = try DecodedFixture.image(30, 20)
            #expect(cache.storeDecodedWhenIdle(old, for: "a"))
            #expect(try await cache.storeDecoded(new, for: "a"))
            await cache.settle()
            #expect(await store.image(for: "a")?.image.size == new.image.size)
            withExtendedLifetime(old) {}
        }
    }

    @Test("what would not be kept is refused at once, and so it is without a decoded tier")
    func refused() async throws {
        try await with { cache, _ in
            let large = try DecodedFixture.image(400, 400)
            #expect(!cache.storeDecodedWhenIdle(large, for: "a"))
            withExtendedLifetime(large) {}
        }
        let image = try DecodedFixture.image()
        #expect(!ImageCache(folder: nil as String?).storeDecodedWhenIdle(image, for: "a"))
        withExtendedLifetime(image) {}
    }
}
