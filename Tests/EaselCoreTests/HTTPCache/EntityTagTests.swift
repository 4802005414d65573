import Testing

@testable import EaselCore

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
