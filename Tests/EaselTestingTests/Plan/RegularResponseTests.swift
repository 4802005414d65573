import EaselCore
import Foundation
import Testing

@testable import EaselTesting

@Suite("Regular responses")
struct RegularResponseTests {
    private let response = OriginResponse.bytes(Data("0123456789".utf8), type: "image/x").with(headers: [
        "ETag": "\"v1\"", "Last-Modified": "Wed, 01 Jan 2025 00:00:00 GMT", "Cache-Control": "max-age=60",
    ])

    private func answer(
        _ headers: HTTPHeaders = HTTPHeaders(), method: String = "GET", _ response: OriginResponse? = nil
    ) -> ServerResponse {
        OriginRequest(number: 0, connection: 0, method: method, target: "/", headers: headers)
            .answer(with: response ?? self.response)
    }

    @Test("A plain request gets the whole body")
    func plain() {
        let answer = answer()
        #expect(answer.status == 200)
        #expect(answer.length == 10)
        #expect(answer.headers["Accept-Ranges"] == "bytes")
    }

    @Test("HEAD gets the head of GET and no body")
    func head() {
        let answer = answer(method: "HEAD")
        #expect(answer.body.isEmpty)
        #expect(answer.length == 10)
    }

    @Test(
        "A current tag or date gets a 304 that keeps its fields and has no length",
        arguments: [
            ("If-None-Match", "\"v1\""), ("If-None-Match", "W/\"v1\""), ("If-None-Match", "*"),
            ("If-None-Match", "\"v0\", \"v1\""), ("If-Modified-Since", "Wed, 01 Jan 2025 00:00:00 GMT"),
        ])
    func notModified(name: String, value: String) {
        let answer = answer([name: value])
        #expect(answer.status == 304)
        #expect(answer.headers["ETag"] == "\"v1\"")
        #expect(answer.headers["Cache-Control"] == "max-age=60")
        #expect(answer.length == nil)
        #expect(answer.body.isEmpty)
    }

    @Test(
        "An old tag or date gets the body",
        arguments: [
            ["If-None-Match": "\"v0\""], ["If-Modified-Since": "Wed, 01 Jan 2020 00:00:00 GMT"],
            ["If-None-Match": "\"v0\"", "If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT"],
        ] as [HTTPHeaders])
    func modified(headers: HTTPHeaders) {
        #expect(answer(headers).status == 200)
    }

    @Test(
        "A range gets a 206 with its position",
        arguments: [
            ("bytes=2-4", "bytes 2-4/10", "234"), ("bytes=7-", "bytes 7-9/10", "789"),
            ("bytes=-2", "bytes 8-9/10", "89"), ("bytes=0-99", "bytes 0-9/10", "0123456789"),
            ("bytes=-99", "bytes 0-9/10", "0123456789"),
        ])
    func range(field: String, contentRange: String, body: String) {
        let answer = answer(["Range": field])
        #expect(answer.status == 206)
        #expect(answer.headers["Content-Range"] == contentRange)
        #expect(answer.body == Data(body.utf8))
        #expect(answer.length == body.utf8.count)
    }

    @Test("A range that begins after the end gets a 416 with the length", arguments: ["bytes=10-", "bytes=-0"])
    func unsatisfiable(field: String) {
        let answer = answer(["Range": field])
        #expect(answer.status == 416)
        #expect(answer.headers["Content-Range"] == "bytes */10")
        #expect(answer.length == 0)
    }

    @Test(
        "Anything but a single byte range gets the whole body",
        arguments: [
            "bytes=4-2", "bytes=a-b", "bytes=-", "lines=0-1", "bytes=0-1,3-4", "bytes=+1-2",
            "bytes=99999999999999999999-",
        ])
    func ignoredRange(field: String) {
        #expect(answer(["Range": field]).status == 200)
    }

    @Test("If-Range with the current validator gets the range", arguments: ["\"v1\"", "Wed, 01 Jan 2025 00:00:00 GMT"])
    func ifRange(value: String) {
        #expect(answer(["Range": "bytes=2-4", "If-Range": value]).status == 206)
    }

    @Test("If-Range with another tag or a weak one gets the whole body", arguments: ["\"v0\"", "W/\"v1\""])
    func ifRangeChanged(value: String) {
        #expect(answer(["Range": "bytes=2-4", "If-Range": value]).status == 200)
    }

    @Test("Accept-Ranges: none disables ranges")
    func noRanges() {
        let response = response.with(headers: ["Accept-Ranges": "none"])
        #expect(answer(["Range": "bytes=2-4"], response).status == 200)
    }

    @Test("Conditions and ranges do not affect other statuses")
    func otherStatus() {
        let response = OriginResponse.status(500).with(headers: ["ETag": "\"v1\""])
        #expect(answer(["If-None-Match": "\"v1\""], response).status == 500)
    }

    @Test(
        "A protected response is a 401 with a challenge without its credentials",
        arguments: [
            (OriginAuthorization.basic(user: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            (.bearer("t0ken"), "Bearer t0ken"),
        ])
    func authorization(authorization: OriginAuthorization, field: String) {
        let response = response.requiring(authorization)
        let refused = answer(["Authorization": field + "x"], response)
        #expect(refused.status == 401)
        #expect(refused.headers["WWW-Authenticate"]?.hasPrefix(field.prefix(5)) == true)
        #expect(refused.body.isEmpty)
        #expect(answer(["Authorization": field], response).status == 200)
    }

    @Test("A compressed response is sent as gzip to clients that accept it")
    func gzip() {
        let zeros = OriginResponse.bytes(Data(count: 100_000)).compressed()
        let packed = answer(["Accept-Encoding": "br, gzip"], zeros)
        #expect(packed.headers["Content-Encoding"] == "gzip")
        #expect(packed.body.prefix(3) == Data([0x1F, 0x8B, 0x08]))
        #expect(packed.body.count < 1_000)
        let plain = answer(["Accept-Encoding": "br"], zeros)
        #expect(plain.headers["Content-Encoding"] == nil)
        #expect(plain.body.count == 100_000)
    }

    @Test("A redirect has its location")
    func redirect() {
        let answer = answer(HTTPHeaders(), .redirect(to: "/b", status: 307))
        #expect(answer.status == 307)
        #expect(answer.headers["Location"] == "/b")
    }

    @Test("A missing file is a 404, and a format without an encoder is a 500")
    func failures() {
        #expect(answer(HTTPHeaders(), .file("/nowhere/at/all")).status == 404)
        #expect(answer(HTTPHeaders(), .image(.gradient(2, 2), ImageFormat("none", signatures: []))).status == 500)
    }
}

extension OriginRequest {
    fileprivate func answer(with response: OriginResponse) -> ServerResponse { response.respond(to: self) }
}
