import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Validation (RFC 9111 4.3)")
struct ValidationTests {
    private typealias Fixture = ResponseFixture
    private static let modified = Fixture.text(-86_400)

    private func conditionalHeaders(_ headers: HTTPHeaders, url: String = Fixture.url) -> HTTPHeaders {
        Fixture.response(headers).addValidators(to: HTTPRequest(url: url)).headers
    }

    private func updatedMetadata(
        _ stored: HTTPHeaders, by headers: HTTPHeaders, requested: Double = 100, received: Double = 101
    ) -> StoredResponse? {
        Fixture.response(stored).update(
            by: headers, request: [:], requested: Fixture.date(requested), received: Fixture.date(received))
    }

    @Test("an entity tag and a date are both sent back unchanged (RFC 9110 13.1.2, 13.1.3)")
    func conditions() {
        let headers = conditionalHeaders(["ETag": #"W/"a""#, "Last-Modified": Self.modified])
        #expect(headers["If-None-Match"] == #"W/"a""#)
        #expect(headers["If-Modified-Since"] == Self.modified)
    }

    @Test("an invalid date is not sent")
    func invalidDate() {
        #expect(conditionalHeaders(["Last-Modified": "yesterday"]).fields.isEmpty)
        #expect(!Fixture.response(["Last-Modified": "yesterday"]).hasValidator)
    }

    @Test("validators are sent only to the URL that returned them")
    func otherURL() {
        #expect(conditionalHeaders(["ETag": #""a""#], url: "http://images.test/b").fields.isEmpty)
    }

    @Test("a 304 replaces the fields that it contains, and keeps the others (3.2)")
    func merge() throws {
        let old: HTTPHeaders = ["ETag": #""a""#, "Cache-Control": "max-age=10", "Last-Modified": Self.modified]
        let updated = try #require(
            updatedMetadata(
                old, by: ["Cache-Control": "max-age=60, immutable", "ETag": #""a""#, "Content-Length": "0"]))
        #expect(updated.lifetime == 60 && updated.directives.isImmutable)
        #expect(updated.fields[.lastModified] == Self.modified)
        #expect(updated.status == 200)
    }

    @Test("a 304 without fields resets the age of the response (4.3.4)")
    func extended() throws {
        let old: HTTPHeaders = ["ETag": #""a""#, "Cache-Control": "max-age=10", "Age": "9", "Date": Fixture.text(-9)]
        let updated = try #require(updatedMetadata(old, by: [:]))
        #expect(updated.age(at: Fixture.date(101)) == 1)
        #expect(updated.isFresh(at: Fixture.date(109)))
    }

    @Test("a 304 can forbid storing")
    func noStore() throws {
        let updated = try #require(updatedMetadata(["ETag": #""a""#], by: ["Cache-Control": "no-store"]))
        #expect(!updated.mayBeStored(for: [:]))
    }

    @Test(
        "a 304 for another version does not confirm the response (4.3.4)",
        arguments: [
            (["ETag": #""a""#], ["ETag": #""b""#], false), (["ETag": #""a""#], ["ETag": #"W/"a""#], true),
            (["ETag": #"W/"a""#], ["ETag": #""a""#], true), (["ETag": #""a""#], [:], true),
            (["Last-Modified": modified], ["Last-Modified": Fixture.text(0)], false),
            (["Last-Modified": modified], ["ETag": #""new""#], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func selection(stored: HTTPHeaders, answer: HTTPHeaders, isConfirmed: Bool) {
        #expect((updatedMetadata(stored, by: answer) != nil) == isConfirmed)
    }

    // MARK: - Strength (RFC 9110 8.8.1, 8.8.2.2)

    @Test("a strong tag is a strong validator, and a weak one is not")
    func strongTag() {
        #expect(Fixture.response(["ETag": #""a""#]).strongValidator == #""a""#)
        #expect(Fixture.response(["ETag": #"W/"a""#, "Last-Modified": Self.modified]).strongValidator == nil)
    }

    @Test("a date is strong only if Date is at least a second later (8.8.2.2)")
    func strongDate() {
        #expect(
            Fixture.response(["Last-Modified": Self.modified, "Date": Fixture.text(0)]).strongValidator == Self.modified
        )
        #expect(
            Fixture.response(["Last-Modified": Fixture.text(0), "Date": Fixture.text(0)]).strongValidator == nil)
        #expect(Fixture.response(["Last-Modified": Self.modified]).strongValidator == nil)
    }

    // MARK: - Metadata

    @Test("the metadata restores the same response")
    func roundTrip() throws {
        var response = Fixture.response(
            [
                "ETag": "\"ünï\"", "Cache-Control": "max-age=5, no-cache", "Vary": "Accept, Accept-Language",
                "Date": Fixture.text(-3), "Age": "4", "Expires": "0", "Last-Modified": Self.modified,
            ], request: ["Accept": "image/*"], requested: 1, received: 2)
        response.redirectsFreshUntil = Fixture.date(60)
        #expect(StoredResponse(metadata: response.metadata) == response)
        #expect(StoredResponse(metadata: ["http-status": "200"]) == nil)
        #expect(StoredResponse(metadata: [:]) == nil)
    }

    @Test("unrelated metadata is kept, and obsolete fields are removed")
    func replacing() {
        let fields = Fixture.response([:]).replace(in: ["http-etag": "\"old\"", "mine": "stays"])
        #expect(fields["http-etag"] == nil && fields["mine"] == "stays" && fields["http-status"] == "200")
    }

    @Test("the size of the metadata is limited")
    func bounded() {
        let long = String(repeating: "x", count: 100_000)
        let response = Fixture.response([
            "ETag": "\"\(long)\"", "Cache-Control": long, "Expires": long, "X-Extra": long, "Last-Modified": long,
            "Vary": (0..<10_000).map { "x-\($0)" }.joined(separator: ","), "Date": long, "Age": long,
        ])
        #expect(response.metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } < 3000)
        #expect(response.lifetime == 0 && !response.hasValidator)
    }
}
