import Testing

@testable import EaselCore

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
