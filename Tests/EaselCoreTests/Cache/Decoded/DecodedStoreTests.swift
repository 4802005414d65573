import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Decoded tier: storing and having again")
struct DecodedStoreTests {
    @Test("gives back the very pixels and all that is known of them (X166)", arguments: [(60, 40), (300, 225), (1, 1)])
    func roundTrip(width: Int, height: Int) async throws {
        try await DecodedFixture.with { fixture in
            let picture = try DecodedFixture.picture(width, height)
            #expect(try await fixture.store.store(picture, for: "a"))
            let found = try #require(await fixture.store.picture(for: "a"))
            #expect(PixelDifference(found.image.pixels, picture.image.pixels).maximum == 0)
            #expect(found.image.pixels.isOpaque == picture.image.pixels.isOpaque)
            #expect(found.image.scale == 2)
            #expect(
                found.image.metadata == picture.image.metadata
                    && found.metadata.fields == ["etag": "1"])
        }
    }

    @Test("what the page cache has is there without waiting, where the system can tell")
    func resident() async throws {
        try await DecodedFixture.with { fixture in
            #expect(fixture.store.residentPicture(for: "a") == nil)
            let picture = try DecodedFixture.picture(300, 225)
            _ = try await fixture.store.store(picture, for: "a")
            _ = await fixture.store.picture(for: "a")
            guard let found = fixture.store.residentPicture(for: "a") else { return }
            #expect(PixelDifference(found.image.pixels, picture.image.pixels).maximum == 0)
        }
    }

    @Test("a picture that is larger than the limit is not kept, and neither is any where nothing may be")
    func tooLarge() async throws {
        try await DecodedFixture.with {
            $0.maximumPictureBytes = 40 * 256
        } _: { fixture async throws in
            #expect(try await fixture.store.store(DecodedFixture.picture(60, 40), for: "a"))
            #expect(try await !fixture.store.store(DecodedFixture.picture(60, 41), for: "b"))
            #expect(await !fixture.store.contains("b"))
        }
        try await DecodedFixture.with {
            $0.maximumBytes = 0
        } _: { fixture async throws in
            #expect(try await !fixture.store.store(DecodedFixture.picture(), for: "a"))
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("an animation of more frames than the header has room for is not kept")
    func longAnimation() async throws {
        try await DecodedFixture.with { fixture in
            var picture = try DecodedFixture.picture()
            picture.image.metadata.header?.frameDurations = Array(repeating: .milliseconds(20), count: 600)
            #expect(try await !fixture.store.store(picture, for: "a"))
        }
    }

    @Test("pictures outlive their file: removed, replaced, and the store itself gone")
    func outlives() async throws {
        let picture = try DecodedFixture.picture(300, 225)
        var found: CachedPicture?
        try await DecodedFixture.with { fixture in
            _ = try await fixture.store.store(picture, for: "a")
            found = await fixture.store.picture(for: "a")
            _ = try await fixture.store.store(DecodedFixture.picture(299, 225), for: "a")
            try await fixture.store.remove("a")
            #expect(await fixture.store.picture(for: "a") == nil)
        }
        let kept = try #require(found)
        #expect(PixelDifference(kept.image.pixels, picture.image.pixels).maximum == 0)
    }

    @Test("its own limit holds, and its files are counted by themselves")
    func limit() async throws {
        try await DecodedFixture.with {
            $0.maximumBytes = 50_000
        } _: { fixture async throws in
            for number in 0..<20 {
                _ = try await fixture.store.store(DecodedFixture.picture(), for: CacheKey("\(number)"))
            }
            let statistics = await fixture.store.statistics()
            #expect(statistics.bytes <= 50_000)
            #expect(statistics.entries > 0)
            try await fixture.store.removeAll()
            #expect(await fixture.store.statistics().entries == 0)
        }
    }
}
