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

@Suite("Vary (RFC 9111 4.1)")
struct VaryTests {
    private func matches(_ vary: HTTPHeaders, _ first: HTTPHeaders, _ second: HTTPHeaders) -> Bool {
        let vary = Vary(vary, request: first)
        #expect(Vary(description: vary.description) == vary)
        return vary.matches(second)
    }

    @Test("an answer without it is for everybody")
    func none() {
        #expect(matches([:], ["Accept": "image/webp"], ["Accept": "image/png"]))
    }

    @Test("the fields it names have to be equal, others need not")
    func named() {
        #expect(!matches(["Vary": "Accept"], ["Accept": "image/webp"], ["Accept": "image/png"]))
        #expect(matches(["Vary": "accept"], ["Accept": "image/webp", "X": "1"], ["ACCEPT": "image/webp", "X": "2"]))
    }

    @Test("a field that is missing matches only one that is missing too")
    func missing() {
        #expect(matches(["Vary": "Accept-Language"], [:], [:]))
        #expect(!matches(["Vary": "Accept-Language"], [:], ["Accept-Language": "de"]))
        #expect(!matches(["Vary": "Accept-Language"], ["Accept-Language": "de"], [:]))
    }

    @Test("white space around the members of a list does not matter, inside it does")
    func whiteSpace() {
        let first: HTTPHeaders = ["Accept": "image/webp, image/*;q=0.8"]
        #expect(matches(["Vary": "Accept"], first, ["Accept": "image/webp", "accept": "image/*;q=0.8"]))
        #expect(!matches(["Vary": "X"], ["X": "a b"], ["X": "ab"]))
    }

    @Test("an asterisk matches nothing, not even the same request")
    func asterisk() {
        #expect(!matches(["Vary": "*"], [:], [:]))
        #expect(!matches(["Vary": "Accept, *"], [:], [:]))
    }

    @Test(
        "a list that cannot be kept counts as an asterisk",
        arguments: [(0..<20).map { "x\($0)" }.joined(separator: ","), String(repeating: "x", count: 100), "a=b", "a b"])
    func tooLong(text: String) {
        #expect(Vary(["Vary": text], request: [:]).isUnbounded)
    }

    @Test("what is kept shows no value: it may be a secret (B109)")
    func secrets() {
        let vary = Vary(["Vary": "Authorization"], request: ["Authorization": "Bearer secret"])
        #expect(!vary.description.contains("secret"))
    }
}

@Suite("Entity tags (RFC 9110 8.8.3)")
struct EntityTagTests {
    /// The table of 8.8.3.2.
    @Test(
        "are compared strongly and weakly",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true), (#""1""#, #""1""#, true, true),
        ])
    func comparison(first: String, second: String, strong: Bool, weak: Bool) throws {
        let (first, second) = (try #require(EntityTag(first)), try #require(EntityTag(second)))
        #expect(first.stronglyMatches(second) == strong && second.stronglyMatches(first) == strong)
        #expect(first.weaklyMatches(second) == weak && second.weaklyMatches(first) == weak)
    }

    @Test("survive with bytes beyond ASCII (B86)")
    func nonASCII() {
        #expect(EntityTag("\"ünï\"")?.text == "\"ünï\"")
    }

    @Test("that could break a head, or fill the cache, are none", arguments: ["", "\"a\nb\"", "\"a\u{7F}\""])
    func hostile(text: String) {
        #expect(EntityTag(text) == nil)
        #expect(EntityTag("\"" + String(repeating: "x", count: 300) + "\"") == nil)
    }
}
