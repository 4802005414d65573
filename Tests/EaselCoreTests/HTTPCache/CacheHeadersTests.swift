import Testing

@testable import EaselCore

@Suite("Cache-Control (RFC 9111 5.2)")
struct CacheDirectivesTests {
    @Test("directive names are case-insensitive and may span several fields")
    func names() {
        let directives = CacheDirectives([
            "Cache-Control": "Max-Age=60, PUBLIC", "X-Other": "no-store", "cache-control": "must-revalidate",
        ])
        #expect(directives.maxAge == 60 && directives.isPublic && directives.mustRevalidate)
        #expect(!directives.noStore)
    }

    @Test("every directive that concerns a private cache is parsed")
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

    @Test("s-maxage and proxy-revalidate apply only to shared caches (5.2.2.8, 5.2.2.10)")
    func shared() {
        let directives = CacheDirectives("max-age=5, s-maxage=10, proxy-revalidate")
        #expect(directives.maxAge == 5 && !directives.mustRevalidate)
        let shared = directives.sharedByMany()
        #expect(shared.maxAge == 10 && shared.browserMaxAge == 5 && shared.mustRevalidate)
        #expect(CacheDirectives(shared.description) == shared)
        #expect(CacheDirectives("max-age=5, public").sharedByMany() == CacheDirectives("max-age=5, public"))
    }

    @Test("values may be quoted strings with commas and escapes (RFC 9110 5.6.4)")
    func quoted() {
        #expect(CacheDirectives("max-age=\"60\"").maxAge == 60)
        #expect(CacheDirectives(#"x="a, no-store, \" no-cache", public"#) == CacheDirectives("public"))
        #expect(CacheDirectives(#"no-cache="Set-Cookie", max-age=1"#).noCache)
    }

    @Test("an unterminated quote does not hide the directives after it")
    func unterminated() {
        #expect(CacheDirectives(#"private="x, no-store"#).noStore)
    }

    @Test(
        "a lifetime that is not a number is 0 (4.2.1)",
        arguments: ["max-age=x", "max-age=-1", "max-age=1.5", "max-age=", "max-age", "max-age=+1", "max-age=٦"])
    func notANumber(text: String) {
        #expect(CacheDirectives(text).maxAge == 0)
    }

    @Test("the shortest of several lifetimes applies (4.2.1)")
    func conflict() {
        #expect(CacheDirectives("max-age=60, max-age=10, max-age=3600").maxAge == 10)
        #expect(CacheDirectives("max-age=60, max-age=oops").maxAge == 0)
    }

    @Test("a lifetime that overflows is 2^31 (1.2.2)")
    func huge() {
        #expect(CacheDirectives("max-age=" + String(repeating: "9", count: 400)).maxAge == 1 << 31)
        #expect(CacheDirectives("max-age=2147483649").maxAge == 1 << 31)
    }

    @Test(
        "malformed directives are ignored",
        arguments: ["", ",", " , ,, ", "=", "=5", "\"", "\"no-store\"", "no-store-really", ";no-store", "no store"])
    func noise(text: String) {
        #expect(CacheDirectives(text) == CacheDirectives())
    }

    @Test("a megabyte of unknown directives is not stored")
    func long() {
        let directives = CacheDirectives(String(repeating: "x=\"\\\"\",", count: 130_000) + "no-store")
        #expect(directives.description == "no-store")
    }

    @Test("the description parses to the same directives")
    func descriptionRoundTrip() {
        let directives = CacheDirectives(
            "no-cache, must-revalidate, private, max-age=7, stale-while-revalidate=8, stale-if-error=9, immutable")
        #expect(CacheDirectives(directives.description) == directives)
    }

    @Test("Pragma applies only to a request without Cache-Control (5.4)")
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

    @Test("a response without Vary matches every request")
    func none() {
        #expect(matches([:], ["Accept": "image/webp"], ["Accept": "image/png"]))
    }

    @Test("only the fields that Vary names have to match")
    func named() {
        #expect(!matches(["Vary": "Accept"], ["Accept": "image/webp"], ["Accept": "image/png"]))
        #expect(matches(["Vary": "accept"], ["Accept": "image/webp", "X": "1"], ["ACCEPT": "image/webp", "X": "2"]))
    }

    @Test("a missing field matches only a missing field")
    func missing() {
        #expect(matches(["Vary": "Accept-Language"], [:], [:]))
        #expect(!matches(["Vary": "Accept-Language"], [:], ["Accept-Language": "de"]))
        #expect(!matches(["Vary": "Accept-Language"], ["Accept-Language": "de"], [:]))
    }

    @Test("white space around list members is ignored, but not inside them")
    func whiteSpace() {
        let first: HTTPHeaders = ["Accept": "image/webp, image/*;q=0.8"]
        #expect(matches(["Vary": "Accept"], first, ["Accept": "image/webp", "accept": "image/*;q=0.8"]))
        #expect(!matches(["Vary": "X"], ["X": "a b"], ["X": "ab"]))
    }

    @Test("an asterisk matches no request")
    func asterisk() {
        #expect(!matches(["Vary": "*"], [:], [:]))
        #expect(!matches(["Vary": "Accept, *"], [:], [:]))
    }

    @Test(
        "a list that is too long or malformed counts as an asterisk",
        arguments: [(0..<20).map { "x\($0)" }.joined(separator: ","), String(repeating: "x", count: 100), "a=b", "a b"])
    func tooLong(text: String) {
        #expect(Vary(["Vary": text], request: [:]).isUnbounded)
    }

    @Test("the description does not contain field values, which may be secret (B109)")
    func secrets() {
        let vary = Vary(["Vary": "Authorization"], request: ["Authorization": "Bearer secret"])
        #expect(!vary.description.contains("secret"))
    }
}

@Suite("Entity tags (RFC 9110 8.8.3)")
struct EntityTagTests {
    /// The table of 8.8.3.2.
    @Test(
        "strong and weak comparison follow the table of the RFC",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true), (#""1""#, #""1""#, true, true),
        ])
    func comparison(first: String, second: String, strong: Bool, weak: Bool) throws {
        let (first, second) = (try #require(EntityTag(first)), try #require(EntityTag(second)))
        #expect(first.stronglyMatches(second) == strong && second.stronglyMatches(first) == strong)
        #expect(first.weaklyMatches(second) == weak && second.weaklyMatches(first) == weak)
    }

    @Test("non-ASCII bytes are preserved (B86)")
    func nonASCII() {
        #expect(EntityTag("\"ünï\"")?.text == "\"ünï\"")
    }

    @Test("overlong tags and tags with control characters are invalid", arguments: ["", "\"a\nb\"", "\"a\u{7F}\""])
    func hostile(text: String) {
        #expect(EntityTag(text) == nil)
        #expect(EntityTag("\"" + String(repeating: "x", count: 300) + "\"") == nil)
    }
}
