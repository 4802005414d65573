import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Decoded tier: storing and reading")
struct DecodedStoreTests {
    @Test("pixels and metadata are read as they were stored (X166)", arguments: [(60, 40), (300, 225), (1, 1)])
    func roundTrip(width: Int, height: Int) async throws {
        try await DecodedFixture.with { fixture in
            let image = try DecodedFixture.image(width, height)
            #expect(try await fixture.store.store(image, for: "a"))
            let cached = try #require(await fixture.store.image(for: "a"))
            #expect(PixelDifference(cached.image.pixels, image.image.pixels).maximum == 0)
            #expect(cached.image.pixels.isOpaque == image.image.pixels.isOpaque)
            #expect(cached.image.scale == 2)
            #expect(
                cached.image.metadata == image.image.metadata
                    && cached.metadata.fields == ["etag": "1"])
        }
    }

    @Test("an image over the limit is not stored, and with a limit of 0 none is")
    func tooLarge() async throws {
        try await DecodedFixture.with {
            $0.maximumImageBytes = ByteCount(40 * 256)
        } _: { fixture async throws in
            #expect(try await fixture.store.store(DecodedFixture.image(60, 40), for: "a"))
            #expect(try await !fixture.store.store(DecodedFixture.image(60, 41), for: "b"))
            #expect(await !fixture.store.files.contains("b"))
        }
        try await DecodedFixture.with {
            $0.maximumBytes = 0
        } _: { fixture async throws in
            #expect(try await !fixture.store.store(DecodedFixture.image(), for: "a"))
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("an animation with more frames than fit into the header is not stored")
    func longAnimation() async throws {
        try await DecodedFixture.with { fixture in
            var image = try DecodedFixture.image()
            image.image.metadata.header?.frameDurations = Array(repeating: .milliseconds(20), count: 600)
            #expect(try await !fixture.store.store(image, for: "a"))
        }
    }

    @Test("an image outlives its file and its store")
    func outlives() async throws {
        let image = try DecodedFixture.image(300, 225)
        var cached: CachedImage?
        try await DecodedFixture.with { fixture in
            _ = try await fixture.store.store(image, for: "a")
            cached = await fixture.store.image(for: "a")
            _ = try await fixture.store.store(DecodedFixture.image(299, 225), for: "a")
            try await fixture.store.files.remove("a")
            #expect(await fixture.store.image(for: "a") == nil)
        }
        let loaded = try #require(cached)
        #expect(PixelDifference(loaded.image.pixels, image.image.pixels).maximum == 0)
    }

    @Test("the store observes its limit and counts its files")
    func limit() async throws {
        try await DecodedFixture.with {
            $0.maximumBytes = 50_000
        } _: { fixture async throws in
            for number in 0..<20 {
                _ = try await fixture.store.store(DecodedFixture.image(), for: CacheKey("\(number)"))
            }
            let statistics = await fixture.store.files.statistics()
            #expect(statistics.bytes <= 50_000)
            #expect(statistics.entries > 0)
            try await fixture.store.files.removeAll()
            #expect(await fixture.store.files.statistics().entries == 0)
        }
    }
}
