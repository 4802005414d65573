import Testing

@testable import EaselCore

@Suite("Cache-Control (RFC 9111 5.2)")
struct CacheDirectivesTests {
    @Test("names are matched whatever their case, and spread over lines")
    func names() {
        let directives = CacheDirectives([
            "Cache-Control": "Max-Age=60, PUBLIC", "X-Other": "no-store", "cache-control": "must-revalidate",
        ])
        #expect(directives.maxAge == 60 && directives.isPublic && directives.mustRevalidate)
        #expect(!directives.noStore)
    }

    @Test("every directive that concerns a private cache is known")
    func known() {
        let response = CacheDirectives(
            "no-store, no-cache, must-revalidate, private, public, immutable, max-age=1, stale-while-revalidate=2,"
                + "stale-if-error=3")
        #expect(response.noStore && response.noCache && response.mustRevalidate)
        #expect(response.isPrivate && response.isPublic && response.isImmutable)
        #expect(response.maxAge == 1 && response.staleWhileRevalidate == 2 && response.staleIfError == 3)
        let request = CacheDirectives("max-stale, min-fresh=4, only-if-cached")
        #expect(request.maxStale == .max && request.minFresh == 4 && request.onlyIfCached)
        #expect(CacheDirectives("max-stale=5").maxStale == 5)
    }

    @Test("s-maxage and proxy-revalidate are for shared caches (5.2.2.8, 5.2.2.10)")
    func shared() {
        #expect(CacheDirectives("s-maxage=10, proxy-revalidate") == CacheDirectives())
    }

    @Test("values may be quoted, with commas and escapes inside (RFC 9110 5.6.4)")
    func quoted() {
        #expect(CacheDirectives("max-age=\"60\"").maxAge == 60)
        #expect(CacheDirectives(#"x="a, no-store, \" no-cache", public"#) == CacheDirectives("public"))
        #expect(CacheDirectives(#"no-cache="Set-Cookie", max-age=1"#).noCache)
    }

    @Test("a quote that never closes does not swallow what is behind it")
    func unterminated() {
        #expect(CacheDirectives(#"private="x, no-store"#).noStore)
    }

    @Test(
        "a lifetime that is no number counts as none left (4.2.1)",
        arguments: ["max-age=x", "max-age=-1", "max-age=1.5", "max-age=", "max-age", "max-age=+1", "max-age=٦"])
    func notANumber(text: String) {
        #expect(CacheDirectives(text).maxAge == 0)
    }

    @Test("of several lifetimes the shortest counts (4.2.1)")
    func conflict() {
        #expect(CacheDirectives("max-age=60, max-age=10, max-age=3600").maxAge == 10)
        #expect(CacheDirectives("max-age=60, max-age=oops").maxAge == 0)
    }

    @Test("what is too large for a number is 2^31 (1.2.2)")
    func huge() {
        #expect(CacheDirectives("max-age=" + String(repeating: "9", count: 400)).maxAge == 1 << 31)
        #expect(CacheDirectives("max-age=2147483649").maxAge == 1 << 31)
    }

    @Test(
        "noise is passed over",
        arguments: ["", ",", " , ,, ", "=", "=5", "\"", "\"no-store\"", "no-store-really", ";no-store", "no store"])
    func noise(text: String) {
        #expect(CacheDirectives(text) == CacheDirectives())
    }

    @Test("a megabyte of noise is read in one go, and kept in a few bytes")
    func long() {
        let directives = CacheDirectives(String(repeating: "x=\"\\\"\",", count: 130_000) + "no-store")
        #expect(directives.description == "no-store")
    }

    @Test("what is kept reads as what came")
    func kept() {
        let directives = CacheDirectives(
            "no-cache, must-revalidate, private, max-age=7, stale-while-revalidate=8, stale-if-error=9, immutable")
        #expect(CacheDirectives(directives.description) == directives)
    }

    @Test("Pragma of a request counts only without Cache-Control (5.4)")
    func pragma() {
        #expect(CacheDirectives(request: ["Pragma": "no-cache"]).noCache)
        #expect(!CacheDirectives(request: ["Pragma": "no-cache", "Cache-Control": "max-age=1"]).noCache)
        #expect(!CacheDirectives(["Pragma": "no-cache"]).noCache)
    }
}
