import EaselTesting
import Testing

@testable import EaselCore

@Suite("Decoded tier: deferred writes", .timeLimit(.minutes(1)))
struct DecodedWriterTests {
    private let clock = ManualClock()

    private func withFixture(_ body: (ImageCache, DecodedStore) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path) { $0.clock = LoadClock(clock) }
            try await body(cache, try #require(cache.decoded))
            // Without pending images, nothing is written into the removed folder.
            try await cache.removeAll()
            await cache.settle()
            // Ends the wait for an idle time.
            clock.advance(by: .seconds(5))
        }
    }

    @Test("an image is written after an idle time, not before")
    func idle() async throws {
        try await withFixture { cache, store in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            await clock.waitForSleepers()
            #expect(await !store.files.contains("a"))
            clock.advance(by: .milliseconds(150))
            while await !store.files.contains("a") { await Task.yield() }
            let cached = try #require(await store.image(for: "a"))
            #expect(PixelDifference(cached.image.pixels, image.image.pixels).maximum == 0)
            #expect(cached.metadata.fields == image.metadata.fields)
        }
    }

    @Test("another store delays the write, unless its priority is low")
    func latest() async throws {
        try await withFixture { cache, store in
            let images = try (0..<3).map { _ in try DecodedFixture.image() }
            #expect(cache.storeDecodedWhenIdle(images[0], for: "0"))
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(100))
            #expect(cache.storeDecodedWhenIdle(images[1], for: "1"))
            clock.advance(by: .milliseconds(149))
            #expect(cache.storeDecodedWhenIdle(images[2], for: "2", priority: .low))
            await clock.waitForSleepers()
            #expect(await store.files.statistics().entries == 0)
            clock.advance(by: .milliseconds(1))
            while await store.files.statistics().entries < 3 { await Task.yield() }
            withExtendedLifetime(images) {}
        }
    }

    @Test("a write is delayed by five seconds at most")
    func maximumDelay() async throws {
        try await withFixture { cache, store in
            let images = try (0..<50).map { _ in try DecodedFixture.image() }
            for (number, image) in images.enumerated() {
                #expect(cache.storeDecodedWhenIdle(image, for: CacheKey("\(number)")))
                await clock.waitForSleepers()
                #expect(await store.files.statistics().entries == 0)
                clock.advance(by: .milliseconds(100))
            }
            while await !store.files.contains("0") { await Task.yield() }
            withExtendedLifetime(images) {}
        }
    }

    @Test("of several images for one key, the last is written")
    func coalesced() async throws {
        try await withFixture { cache, store in
            let (old, new) = (try DecodedFixture.image(60, 40), try DecodedFixture.image(30, 20))
            #expect(cache.storeDecodedWhenIdle(old, for: "a"))
            #expect(cache.storeDecodedWhenIdle(new, for: "a"))
            await cache.settle()
            #expect(await store.image(for: "a")?.image.size == new.image.size)
            withExtendedLifetime((old, new)) {}
        }
    }

    @Test("an image is found before it is written")
    func meanwhile() async throws {
        try await withFixture { cache, _ in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            #expect(await cache.contains("a", in: .disk) == .disk)
            let cached = try #require(await cache.decodedImage(for: "a"))
            #expect(cached.image.metadata == image.image.metadata && cached.metadata == image.metadata)
            withExtendedLifetime(image) {}
        }
    }

    @Test("an image of low priority is written without delay if no other is pending")
    func low() async throws {
        try await withFixture { cache, store in
            let image = try DecodedFixture.image()
            #expect(cache.storeDecodedWhenIdle(image, for: "a", priority: .low))
            while await !store.files.contains("a") { await Task.yield() }
            withExtendedLifetime(image) {}
        }
    }

    @Test("settle writes pending images at once")
    func settled() async throws {
        try await withFixture { cache, store in
            let images = try (0..<3).map { _ in try DecodedFixture.image() }
            for (number, image) in images.enumerated() {
                #expect(cache.storeDecodedWhenIdle(image, for: CacheKey("\(number)")))
            }
            await cache.settle()
            #expect(await store.files.statistics().entries == 3)
        }
    }

    @Test("entering the background writes pending images before memory is freed (X095)")
    func background() async throws {
        try await withFixture { cache, store in
            let image = try DecodedFixture.image()
            cache.store(image.image, for: "a")
            #expect(cache.storeDecodedWhenIdle(image, for: "a"))
            await cache.enterBackground()
            #expect(await store.files.contains("a"))
        }
    }

    @Test("an image without references is not retained and not written")
    func unreferenced() async throws {
        try await withFixture { cache, store in
            var image: CachedImage? = try DecodedFixture.image()
            if let image { #expect(cache.storeDecodedWhenIdle(image, for: "a")) }
            image = nil
            #expect(await cache.decodedImage(for: "a") == nil)
            await cache.settle()
            #expect(await store.files.statistics().entries == 0)
        }
    }

    @Test("a removed image is not written afterwards, after remove and removeAll (S131)")
    func removed() async throws {
        try await withFixture { cache, store in
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
            #expect(await store.files.statistics().entries == 0)
            withExtendedLifetime(images) {}
        }
    }

    @Test("a removal or a store during a write of the same key has the last effect")
    func removedMeanwhile() async throws {
        try await withFixture { cache, store in
            let (old, new) = (try DecodedFixture.image(60, 40), try DecodedFixture.image(30, 20))
            for _ in 0..<50 {
                #expect(cache.storeDecodedWhenIdle(old, for: "a"))
                async let first: Void = cache.settle()
                try await cache.remove("a")
                await first
                #expect(await !store.files.contains("a"))
                #expect(cache.storeDecodedWhenIdle(old, for: "a"))
                async let second: Void = cache.settle()
                #expect(try await cache.storeDecoded(new, for: "a"))
                await second
                #expect(await store.image(for: "a")?.image.size == new.image.size)
            }
            withExtendedLifetime(old) {}
        }
    }

    @Test("a direct store replaces a pending one")
    func replaced() async throws {
        try await withFixture { cache, store in
            let old = try DecodedFixture.image(60, 40)
            let new = try DecodedFixture.image(30, 20)
            #expect(cache.storeDecodedWhenIdle(old, for: "a"))
            #expect(try await cache.storeDecoded(new, for: "a"))
            await cache.settle()
            #expect(await store.image(for: "a")?.image.size == new.image.size)
            withExtendedLifetime(old) {}
        }
    }

    @Test("an image that would not be stored is rejected at once, and so is any without a decoded tier")
    func refused() async throws {
        try await withFixture { cache, _ in
            let large = try DecodedFixture.image(400, 400)
            #expect(!cache.storeDecodedWhenIdle(large, for: "a"))
            withExtendedLifetime(large) {}
        }
        let image = try DecodedFixture.image()
        #expect(!ImageCache(folder: nil as String?).storeDecodedWhenIdle(image, for: "a"))
        withExtendedLifetime(image) {}
    }
}
