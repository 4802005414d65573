import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Colours: kept conversions")
struct ColorConversionCacheTests {
    private func key(_ primaries: Int) -> ColorConversionCache.Key {
        .init(colors: .codePoints(CodePoints(primaries: primaries, transfer: 13)), space: .sRGB, samples: .pixels)
    }

    private func conversion(byteCount: Int) -> ColorConversion {
        ColorConversion(kind: .gray([UInt8](repeating: 0, count: byteCount)))
    }

    @Test("what was used longest ago goes first where there are too many")
    func count() {
        var cache = ColorConversionCache(countLimit: 2)
        cache.keep(conversion(byteCount: 1), for: key(1))
        cache.keep(conversion(byteCount: 1), for: key(2))
        _ = cache.conversion(for: key(1))
        cache.keep(conversion(byteCount: 1), for: key(3))
        #expect(cache.count == 2)
        #expect(cache.conversion(for: key(1)) != nil)
        #expect(cache.conversion(for: key(2)) == nil)
    }

    @Test("bytes are bounded, those of profiles too, and one that is too large is not kept")
    func bytes() throws {
        var cache = ColorConversionCache(byteLimit: 10_000)
        for primaries in 1...8 { cache.keep(conversion(byteCount: 3_000), for: key(primaries)) }
        #expect(cache.count == 3)
        #expect(cache.byteCount <= 10_000)
        cache.keep(conversion(byteCount: 20_000), for: key(20))
        #expect(cache.conversion(for: key(20)) == nil)
        let profile = try #require(ICCProfile(Profiles.sRGB + [UInt8](repeating: 0, count: 20_000), for: .rgb))
        let large = ColorConversionCache.Key(colors: .profile(profile), space: .sRGB, samples: .pixels)
        cache.keep(nil, for: large)
        #expect(cache.conversion(for: large) == nil)
        #expect(cache.count == 3)
    }

    @Test("that there is nothing to convert is remembered")
    func nothing() {
        var cache = ColorConversionCache()
        #expect(cache.conversion(for: key(1)) == nil)
        cache.keep(nil, for: key(1))
        guard case .some(.none) = cache.conversion(for: key(1)) else {
            Issue.record("It is not known.")
            return
        }
    }

    @Test("replacing one counts its bytes once")
    func replacing() {
        var cache = ColorConversionCache()
        for _ in 0..<3 { cache.keep(conversion(byteCount: 1_000), for: key(1)) }
        #expect(cache.count == 1)
        #expect(cache.byteCount < 2_000)
    }

    @Test("many threads that convert at once get the same pixels")
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
