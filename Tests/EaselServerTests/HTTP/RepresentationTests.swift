#if Server
import Testing

@testable import EaselServer

struct RepresentationTests {
    private func representation(
        _ length: Int = 100, ifNoneMatch: String? = nil, range: String? = nil, ifRange: String? = nil
    ) -> Representation {
        Representation(
            entityTag: "\"tag\"", length: length, ifNoneMatch: ifNoneMatch, range: range, ifRange: ifRange)
    }

    @Test(arguments: ["\"tag\"", "W/\"tag\"", "*", "\"other\", \"tag\"", "\"a,b\" ,W/\"tag\""])
    func `A tag that the client has is answered with 304`(field: String) {
        #expect(representation(ifNoneMatch: field) == .notModified)
    }

    @Test(arguments: ["\"other\"", "tag", "", "\"tag", "W/", ",,,"])
    func `Another tag is answered with the whole body`(field: String) {
        #expect(representation(ifNoneMatch: field) == .whole)
    }

    @Test(arguments: [
        ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=-5", 95..<100), ("bytes=50-1000", 50..<100),
        ("Bytes=1-1", 1..<2), ("bytes=-1000", 0..<100), ("bytes= 0 - 9", 0..<10),
    ])
    func `A range is answered with its bytes`(field: String, range: Range<Int>) {
        #expect(representation(range: field) == .part(range))
    }

    @Test(arguments: [
        "bytes=9-0", "bytes=", "bytes=a-b", "items=0-9", "bytes=0-1,5-6", "bytes=--1", "bytes=99999999999999999999-",
    ])
    func `A malformed range is ignored`(field: String) {
        #expect(representation(range: field) == .whole)
    }

    @Test(arguments: ["bytes=100-", "bytes=500-600", "bytes=-0"])
    func `A range outside the body is refused`(field: String) {
        #expect(representation(range: field) == .unsatisfiable)
    }

    @Test func `A range applies only to the version that If-Range names`() {
        #expect(representation(range: "bytes=0-9", ifRange: "\"tag\"") == .part(0..<10))
        #expect(representation(range: "bytes=0-9", ifRange: "W/\"tag\"") == .whole)
        #expect(representation(range: "bytes=0-9", ifRange: "Sun, 06 Nov 1994 08:49:37 GMT") == .whole)
    }

    @Test func `A tag precedes a range`() {
        #expect(representation(ifNoneMatch: "\"tag\"", range: "bytes=0-9") == .notModified)
    }
}
#endif
