#if OriginServer
import EaselTesting
import Foundation
import Testing

@testable import EaselCore
@testable import easel

@Suite("Demonstration report")
struct DemonstrationReportTests {
    private func report(requestsAtOrigin: [Int]?) throws -> DemonstrationReport {
        var image = try TestImage.gradient(4, 3).image()
        image.metadata.header = ImageHeader(format: .jpeg, storedSize: PixelSize(400, 300))
        func response(_ source: ImageSource, _ time: Duration, requests: Int = 0) -> Result<ImageResponse, ImageError> {
            var timeline = LoadTimeline()
            timeline.total = time
            timeline.requests = requests
            return .success(
                ImageResponse(
                    image: image, source: source, data: source == .memory ? nil : Data(count: 2_000),
                    request: ImageRequest(URL(filePath: "/a")), timeline: timeline))
        }
        var report = DemonstrationReport(urls: ["u/a.jpg", "u/b.jpg"], names: ["a.jpg", "b.jpg"])
        report.cold.results = [response(.network, .microseconds(12_345), requests: 3), .failure(.status(404))]
        report.memory.results = [response(.memory, .microseconds(5)), .failure(.status(404))]
        report.disk.results = [response(.disk, .milliseconds(7)), .failure(.status(404))]
        report.cold.total = .milliseconds(20)
        report.requestsAtOrigin = requestsAtOrigin
        return report
    }

    @Test("each image has a line with its three loads")
    func eachImage() throws {
        #expect(
            try report(requestsAtOrigin: [1, 1]).lines == [
                "image        format     pixels   bytes               cold            again    new manager",
                "───────────  ──────  ─────────  ──────  ─────────────────  ───────────────  ─────────────",
                "a.jpg        jpeg    400 x 300  2.0 kB  network 12.345 ms  memory 0.005 ms  disk 7.000 ms",
                "b.jpg        failed",
                "all at once                     2.0 kB          20.000 ms         0.000 ms       0.000 ms",
                "",
                "Requests to the origin: 2 for 2 images, exactly one per image.",
            ])
    }

    @Test("a second request for an image is reported")
    func secondRequest() throws {
        let last = try report(requestsAtOrigin: [2, 1]).lines.last
        #expect(last == "Requests to the origin: 3 for 2 images, not one per image.")
    }

    @Test("without a count from the server, the sent requests are reported")
    func sentRequests() throws {
        let last = try report(requestsAtOrigin: nil).lines.last
        #expect(last == "Requests sent, including redirects and retries: 3 for 2 images.")
    }

    @Test("failures include their URLs")
    func failedURLs() throws {
        let failures = try report(requestsAtOrigin: nil).failures
        #expect(failures.map(\.url) == ["u/b.jpg"])
        #expect(failures.map(\.error) == [.status(404)])
    }
}
#endif
