import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: expiry")
struct DiskCacheExpiryTests {
    @Test(
        "an entry expires by last use, last change or store, and is then a miss and removed (B53)",
        arguments: DiskCache.Expiration.allCases)
    func expired(expiration: DiskCache.Expiration) async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
            $0.expiration = expiration
        } _: { fixture in
            for key in ["a", "b"] as [CacheKey] { try await fixture.cache.store(Data([1]), for: key) }
            let (old, young) = (2_000.0, 500.0)
            await fixture.cache.settle()
            try fixture.setAges(
                "a", accessed: expiration == .access ? old : young, modified: expiration == .modification ? old : young,
                created: expiration == .creation ? old : young)
            await fixture.cache.settle()
            try fixture.setAges(
                "b", accessed: expiration == .access ? young : old, modified: expiration == .modification ? young : old,
                created: expiration == .creation ? young : old)
            #expect(await fixture.present(["a", "b"]) == ["b"])
            #expect(await fixture.cache.path(for: "a") == nil)
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try await fixture.cache.data(for: "b") == Data([1]))
            #expect(try fixture.folder.names() == [CacheKey("b").fileName])
        }
    }

    @Test("with expiry by change, new metadata renews an entry and reading does not")
    func byModification() async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
            $0.expiration = .modification
        } _: { fixture in
            for key in ["a", "b"] as [CacheKey] {
                try await fixture.cache.store(Data([1]), for: key)
                await fixture.cache.settle()
                try fixture.setAges(key, modified: 900)
                _ = try await fixture.cache.data(for: key)
            }
            try await fixture.cache.setMetadata(CacheMetadata(fields: ["Age": "0"]), for: "a")
            #expect(Date().timeIntervalSince1970 - (try fixture.facts("a").modified) < 100)
            #expect(Date().timeIntervalSince1970 - (try fixture.facts("b").modified) >= 900)
        }
    }

    @Test("with expiry by creation, the date survives new metadata, and a trim removes expired entries")
    func byCreation() async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
            $0.expiration = .creation
        } _: { fixture in
            for key in ["a", "b"] as [CacheKey] {
                try await fixture.cache.store(Data([1]), for: key)
                try await fixture.cache.setMetadata(CacheMetadata(fields: ["Age": "0"]), for: key)
            }
            await fixture.cache.settle()
            try fixture.setAges("a", created: 2_000)
            await fixture.cache.trim()
            #expect(try fixture.folder.names() == [CacheKey("b").fileName])
        }
    }

    @Test("an entry dated in the future is a hit, and its first use corrects the date")
    func future() async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
        } _: { fixture in
            let year = 365 * 86_400.0
            try await fixture.store("a", length: 1, used: -2 * year)
            #expect(await fixture.cache.contains("a"))
            #expect(try await fixture.cache.data(for: "a") != nil)
            await fixture.cache.settle()
            #expect(try fixture.age(of: CacheKey("a").fileName) > -100)
        }
    }

    // The system may update the access date of a read, but only a touch updates the change date.
    @Test(
        "a hit updates the access date only after an hour or a tenth of the maximum age",
        arguments: [(true, 7_200.0), (false, 1_800)])
    func relativeTouch(isTouched: Bool, idle: Double) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.store("a", length: 10, used: idle)
            let before = try fixture.facts("a").changed
            for _ in 0..<3 { _ = try await fixture.cache.data(for: "a") }
            await fixture.cache.settle()
            #expect((try fixture.facts("a").changed != before) == isTouched)
        }
    }

    @Test("a short maximum age is touched at a tenth of it")
    func shortAge() {
        #expect(DiskCache.Configuration(maximumAge: .seconds(100)).touchInterval == 10)
        #expect(DiskCache.Configuration(maximumAge: .days(30)).touchInterval == 3_600)
        #expect(DiskCache.Configuration(maximumAge: .forever).touchInterval == 3_600)
        #expect(DiskCache.Configuration(maximumAge: .seconds(0)).touchInterval == 3_600)
    }
}
