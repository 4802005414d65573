import Testing

@testable import EaselCore

@Suite("HTTP header fields")
struct HTTPHeadersTests {
    @Test("are found by name whatever the case (RFC 9110 5.1)")
    func names() {
        let headers: HTTPHeaders = ["Content-Type": "image/png", "ETag": "\"1\""]
        #expect(headers["content-type"] == "image/png")
        #expect(headers["CONTENT-TYPE"] == "image/png")
        #expect(headers["etag"] == "\"1\"")
        #expect(headers["Content-Typ"] == nil)
    }

    @Test("fold letters alone: characters that differ in the same bit stay apart")
    func folding() {
        let headers: HTTPHeaders = ["a@[": "1", "X_Y": "2"]
        #expect(headers["A@["] == "1")
        #expect(headers["a`{"] == nil)
        #expect(headers["X\u{7F}Y"] == nil)
    }

    @Test("keep their order and their duplicates")
    func duplicates() {
        var headers: HTTPHeaders = ["Vary": "Accept", "Date": "now"]
        headers.append(name: "vary", value: "Cookie")
        #expect(headers.fields.map(\.name) == ["Vary", "Date", "vary"])
        #expect(headers.all("VARY") == ["Accept", "Cookie"])
        #expect(headers["Vary"] == "Accept")
    }

    @Test("setting replaces all of a name, setting nothing removes them")
    func setting() {
        var headers: HTTPHeaders = ["Vary": "Accept", "Date": "now", "vary": "Cookie"]
        headers["VARY"] = "Origin"
        #expect(headers.all("vary") == ["Origin"])
        headers["vary"] = nil
        #expect(headers.fields == [.init(name: "Date", value: "now")])
    }
}
