#if Server
import EaselServerURLs
import Foundation
import Testing

@testable import EaselServer

struct FieldTests {
    @Test(arguments: [
        (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ])
    func `Dates have the form of HTTP`(seconds: Double, text: String) {
        #expect(DateField.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `Times of log lines have the form of RFC 3339`() {
        #expect(TimeText.text(Date(timeIntervalSince1970: 784_111_777.25)) == "1994-11-06T08:49:37.250Z")
    }

    @Test func `A file name cannot end the field`() {
        let rules = ResponseRules()
        #expect(rules.disposition(filename: nil, isAttachment: nil, extension: { "png" }) == nil)
        #expect(
            rules.disposition(filename: "a", isAttachment: nil, extension: { "png" }) == "inline; filename=\"a.png\"")
        let hostile = rules.disposition(
            filename: "a\"; filename=\"b\r\nSet-Cookie: x/../ä", isAttachment: true, extension: { "png" })
        #expect(
            hostile == "attachment; filename=\"a_; filename=_b__Set-Cookie: x_..___.png\"; "
                + "filename*=UTF-8''a%22%3B%20filename%3D%22b__Set-Cookie%3A%20x_.._%C3%A4.png")
    }

    @Test func `Hints are rounded, so that clients create few results`() {
        #expect(ClientHints(pixelRatio: "1.3", width: "401").rounded.pixelRatio == 1.25)
        #expect(ClientHints(pixelRatio: "1.3", width: "401").rounded.width == 416)
        #expect(ClientHints(pixelRatio: "0.01").rounded.pixelRatio == 0.25)
    }

    @Test func `JSON strings are escaped`() {
        #expect(JSONText.quoted("a\"b\\c\n\u{1}ä") == "\"a\\\"b\\\\c\\n\\u0001ä\"")
    }

    @Test func `Labels of metrics are escaped`() {
        var text = MetricsText()
        text.add("a_total", .counter, "Help.", by: "code", ["x\"\n": 2])
        #expect(text.text == "# HELP a_total Help.\n# TYPE a_total counter\na_total{code=\"x\\\"\\n\"} 2\n")
    }

    @Test func `A trace is continued with a span of its own`() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let trace = TraceContext(traceParent: parent, state: "a=b")
        #expect(trace?.traceParent.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true)
        #expect(trace?.traceParent.hasSuffix("-01") == true)
        #expect(trace?.spanID != "b7ad6b7169203331")
        #expect(trace?.state == "a=b")
        for invalid in ["", "00-0-0-0", parent.uppercased(), parent + "0", "00-" + String(repeating: "0", count: 52)] {
            #expect(TraceContext(traceParent: invalid, state: nil) == nil)
        }
    }
}
#endif
