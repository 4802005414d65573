import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colors: conversion cache")
struct ColorConversionCacheTests {
    private func key(_ primaries: Int) -> ColorConversionCache.Key {
        .init(colors: .codePoints(CodePoints(primaries: primaries, transfer: 13)), space: .sRGB, samples: .pixels)
    }

    private func conversion(byteCount: Int) -> ColorConversion {
        ColorConversion(kind: .gray([UInt8](repeating: 0, count: byteCount)))
    }

    @Test("the least recently used conversion is evicted over the count limit")
    func count() {
        var cache = ColorConversionCache(countLimit: 2)
        cache.insert(conversion(byteCount: 1), for: key(1))
        cache.insert(conversion(byteCount: 1), for: key(2))
        _ = cache.conversion(for: key(1))
        cache.insert(conversion(byteCount: 1), for: key(3))
        #expect(cache.count == 2)
        #expect(cache.conversion(for: key(1)) != nil)
        #expect(cache.conversion(for: key(2)) == nil)
    }

    @Test("the byte limit includes profiles, and a conversion over the limit is not stored")
    func bytes() throws {
        var cache = ColorConversionCache(byteLimit: 10_000)
        for primaries in 1...8 { cache.insert(conversion(byteCount: 3_000), for: key(primaries)) }
        #expect(cache.count == 3)
        #expect(cache.byteCount <= 10_000)
        cache.insert(conversion(byteCount: 20_000), for: key(20))
        #expect(cache.conversion(for: key(20)) == nil)
        let profile = try #require(ICCProfile(Profiles.sRGB + [UInt8](repeating: 0, count: 20_000), for: .rgb))
        let large = ColorConversionCache.Key(colors: .profile(profile), space: .sRGB, samples: .pixels)
        cache.insert(nil, for: large)
        #expect(cache.conversion(for: large) == nil)
        #expect(cache.count == 3)
    }

    @Test("the absence of a conversion is cached")
    func nothing() {
        var cache = ColorConversionCache()
        #expect(cache.conversion(for: key(1)) == nil)
        cache.insert(nil, for: key(1))
        guard case .some(.none) = cache.conversion(for: key(1)) else {
            Issue.record("The absence of a conversion is not cached.")
            return
        }
    }

    @Test("the bytes of a replaced conversion are counted once")
    func replacing() {
        var cache = ColorConversionCache()
        for _ in 0..<3 { cache.insert(conversion(byteCount: 1_000), for: key(1)) }
        #expect(cache.count == 1)
        #expect(cache.byteCount < 2_000)
    }

    @Test("concurrent conversions return the same pixels")
    func concurrency() async throws {
        let profiles = try [Profiles.table(inks: false), Profiles.rgb(.bt2020, exponent: 2.1)].map {
            ColorDescription.profile(try #require(ICCProfile($0, for: .rgb)))
        }
        let results = await withTaskGroup(of: [UInt32].self) { group in
            for index in 0..<16 {
                group.addTask {
                    var pixels = (0..<4_096).map { 0xFF00_0000 | UInt32($0) &* 4_099 & 0xFF_FFFF }
                    ColorConversion.from(profiles[index % 2], to: .sRGB)?.convert(&pixels, count: pixels.count)
                    return pixels
                }
            }
            return await group.reduce(into: Set<[UInt32]>()) { $0.insert($1) }
        }
        #expect(results.count == 2)
    }
}
