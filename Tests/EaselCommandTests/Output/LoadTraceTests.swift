import EaselCore
import Foundation
import Testing

@testable import easel

@Suite("Load trace")
struct LoadTraceTests {
    @Test("the trace is a tree with redirects, retries and the transfer below the download")
    func tree() throws {
        var trace = LoadTrace()
        trace.begin(1, .disk)
        trace.end(1, after: .microseconds(400), .missed)
        trace.begin(2, .queued)
        trace.end(2, after: .milliseconds(2), .done)
        trace.record(.started)
        trace.begin(3, .firstByte)
        trace.end(3, after: .milliseconds(22), .done)
        trace.record(.responded(status: 302, headers: HTTPHeaders(), connect: .milliseconds(12)))
        trace.record(.redirected(to: try #require(URL(string: "http://b.test/a"))))
        trace.begin(4, .firstByte)
        trace.end(4, after: .milliseconds(18), .done)
        trace.record(.responded(status: 503, headers: HTTPHeaders(), connect: nil))
        trace.record(.retrying(after: .milliseconds(200), .status(503)))
        trace.begin(5, .firstByte)
        trace.end(5, after: .milliseconds(30), .done)
        trace.record(.responded(status: 200, headers: HTTPHeaders(), connect: nil))
        trace.begin(6, .transfer)
        trace.end(6, after: .milliseconds(42), .done)
        trace.record(.finished(bytes: 48_200))
        trace.begin(7, .decode)
        trace.end(7, after: .milliseconds(15), .done)
        #expect(
            trace.lines(title: "a.jpg: 132 ms, from network") == [
                "a.jpg: 132 ms, from network",
                "├─ disk          0.4 ms  missed",
                "├─ download      314 ms  48 kB",
                "│  ├─ queued     2.0 ms",
                "│  ├─ request   22.0 ms  302, connected in 12.0 ms, to http://b.test/a",
                "│  ├─ request   18.0 ms  503",
                "│  ├─ pause      200 ms",
                "│  ├─ request   30.0 ms  200",
                "│  └─ transfer  42.0 ms",
                "└─ decode       15.0 ms",
            ])
    }

    @Test("a load that fails during its download has its stages up to the failure")
    func failure() {
        var trace = LoadTrace()
        trace.begin(1, .queued)
        trace.end(1, after: .zero, .done)
        trace.begin(2, .firstByte)
        trace.end(2, after: .milliseconds(5), .failed(.timedOut(.connect)))
        trace.record(.stopped(.timedOut(.connect)))
        #expect(
            trace.lines(title: "a") == [
                "a",
                "└─ download    5.0 ms  timedOut",
                "   ├─ queued   0.0 ms",
                "   └─ request  5.0 ms  timedOut",
            ])
    }

    @Test("a second download of a load is a separate branch")
    func twoDownloads() {
        var trace = LoadTrace()
        for id in 1...2 as ClosedRange<UInt64> {
            trace.begin(id, .firstByte)
            trace.end(id, after: .milliseconds(1), .done)
            trace.record(.finished(bytes: id == 1 ? 0 : 10))
        }
        let lines = trace.lines(title: "a")
        #expect(lines.count { $0.contains("download") } == 2)
        #expect(lines[1].hasSuffix("not modified"))
    }

    @Test("text of a server has no control characters")
    func hostile() throws {
        var trace = LoadTrace()
        trace.begin(1, .firstByte)
        trace.record(.redirected(to: try #require(URL(string: "http://b.test/%1B[2J"))))
        #expect(trace.lines(title: "a\u{1B}b").allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test("an image from memory has only a title")
    func nothing() {
        #expect(LoadTrace().lines(title: "a: from memory") == ["a: from memory"])
    }
}
