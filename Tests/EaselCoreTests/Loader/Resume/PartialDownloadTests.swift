import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("Partial downloads (RFC 9110 14)")
struct PartialDownloadTests {
    private static let url = ResponseFixture.url

    private func makePart(
        _ headers: HTTPHeaders = ["ETag": "\"1\""], total: Int? = 1000, count: Int = 400
    ) -> PartialDownload {
        PartialDownload(response: ResponseFixture.response(headers), total: total, body: Data(count: count))
    }

    private func answer(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: HTTPBody(next: { nil }, cancel: {}))
    }

    private func resumeHeaders(_ part: PartialDownload, url: String = url, _ headers: HTTPHeaders = [:])
        -> HTTPHeaders
    {
        part.addRange(to: HTTPRequest(url: url, headers: headers)).headers
    }

    // MARK: - Requests (14.2, 13.1.5)

    @Test("the missing range is requested if the file has not changed (B83)")
    func asking() {
        let headers = resumeHeaders(makePart())
        #expect(headers["Range"] == "bytes=400-" && headers["If-Range"] == "\"1\"")
    }

    @Test("a weak tag is not used in If-Range, and no range is requested (13.1.5)")
    func weak() {
        #expect(resumeHeaders(makePart(["ETag": "W/\"1\""])).fields.isEmpty)
    }

    @Test("a date is used in If-Range if it is strong (8.8.2.2)")
    func date() {
        let modified = ResponseFixture.text(-100)
        let headers = resumeHeaders(makePart(["Last-Modified": modified, "Date": ResponseFixture.text(0)]))
        #expect(headers["If-Range"] == modified)
        #expect(resumeHeaders(makePart(["Last-Modified": modified])).fields.isEmpty)
    }

    @Test("no range is requested for another URL or a whole file, and the request's own range is kept")
    func otherRequests() {
        #expect(resumeHeaders(makePart(), url: "http://images.test/b").fields.isEmpty)
        #expect(resumeHeaders(makePart(count: 1000)).fields.isEmpty)
        #expect(resumeHeaders(makePart(), ["Range": "bytes=0-1"])["If-Range"] == nil)
    }

    // MARK: - Responses (15.3.7)

    @Test(
        "a 206 continues only with the exact rest of the same version",
        arguments: [
            (["Content-Range": "bytes 400-999/1000"], .continues),
            (["Content-Range": "bytes 400-999/1000", "ETag": "\"1\""], .continues),
            (["Content-Range": "bytes 400-999/*"], .continues),
            (["Content-Range": "bytes 400-999/1000", "ETag": "\"2\""], .startOver),
            (["Content-Range": "bytes 400-999/1000", "ETag": "W/\"1\""], .startOver),
            (["Content-Range": "bytes 399-999/1000"], .startOver),
            (["Content-Range": "bytes 401-999/1000"], .startOver),
            (["Content-Range": "bytes 0-999/1000"], .startOver), (["Content-Range": "bytes 400-1099/1100"], .startOver),
            (["Content-Range": "bytes 400-500/1000"], .startOver), (["Content-Range": "bytes 400-999/999"], .startOver),
            (["Content-Range": "octets 400-999/1000"], .startOver), ([:], .startOver),
            (["Content-Type": "multipart/byteranges; boundary=x"], .startOver),
            (["Content-Range": "bytes 400-999/1000", "Content-Encoding": "gzip"], .startOver),
            (["Content-Range": "bytes 400-999/1000", "content-range": "bytes 0-999/1000"], .startOver),
            (["Content-Range": "bytes 999-400/1000"], .startOver), (["Content-Range": "bytes */1000"], .startOver),
            (["Content-Range": "bytes 400-999999999999999999999999/1000"], .startOver),
        ] as [(HTTPHeaders, PartialDownload.Verdict)])
    func partialContent(headers: HTTPHeaders, verdict: PartialDownload.Verdict) {
        #expect(makePart().evaluate(answer(206, headers)) == verdict)
    }

    @Test("a 200 is the whole file, a 416 starts over, and other statuses are unrelated (B83)")
    func otherStatuses() {
        #expect(makePart().evaluate(answer(200)) == .whole)
        #expect(makePart().evaluate(answer(416)) == .startOver)
        for status in [302, 304, 404, 503] { #expect(makePart().evaluate(answer(status)) == .unrelated) }
    }

    // MARK: - Storing (B82)

    @Test(
        "a partial download is stored only if it can be resumed",
        arguments: [
            (200, ["ETag": "\"1\""], true), (200, ["ETag": "\"1\"", "Accept-Ranges": "bytes"], true),
            (200, ["ETag": "\"1\"", "Accept-Ranges": "none"], false), (200, ["ETag": "W/\"1\""], false),
            (200, [:], false),
            (200, ["ETag": "\"1\"", "Content-Encoding": "gzip"], false), (203, ["ETag": "\"1\""], false),
            (200, ["ETag": "\"1\"", "Cache-Control": "no-store"], false),
        ] as [(Int, HTTPHeaders, Bool)])
    func beginning(status: Int, headers: HTTPHeaders, isKept: Bool) {
        let answer = answer(status, headers)
        let remembered = ResponseFixture.response(headers, status: status)
        let part = PartialDownload(beginning: Data([1]), of: answer, stored: remembered)
        #expect((part != nil) == isKept)
    }
}
