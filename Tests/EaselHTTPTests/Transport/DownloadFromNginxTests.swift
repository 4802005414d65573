import EaselHTTP
import Foundation
import Testing

@testable import EaselCore

/// The downloader against a server from outside this project.
@Suite("Downloader: nginx", .enabled(if: Nginx.path != nil, "nginx is not installed"), .timeLimit(.minutes(1)))
struct DownloadFromNginxTests {
    private let big = Pattern.data(1_000_000)

    /// Loads over HTTP/1.1 and over HTTP/2 with TLS.
    private func withBothProtocols(
        _ name: String, _ body: (_ downloader: ImageDownloader, _ request: ImageRequest) async throws -> Void
    ) async throws {
        try await Nginx.serve(["big": big]) { server in
            for url in [server.plainURL(name), server.url(name)] {
                let folder = FileManager.default.temporaryDirectory.path + "/easel-parts-" + UUID().uuidString
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let transport = CurlTransport()
                let downloader = ImageDownloader(transport: transport) { $0.partialFolder = folder }
                let address = try #require(URL(string: url))
                try await body(downloader, ImageRequest(address) { $0.options.insert(.allowInvalidCertificates) })
                await transport.shutDown()
            }
        }
    }

    @Test("a file arrives whole, and the response to its revalidation is 304")
    func notModified() async throws {
        try await withBothProtocols("big") { downloader, request in
            let loaded = try await downloader.load(request, LoadContext(priority: .normal) { _ in })
            #expect(loaded.data == big)
            let revalidation = request.validating(loaded.response)
            let revalidated = try await downloader.load(revalidation, LoadContext(priority: .normal) { _ in })
            #expect(revalidated.isNotModified && revalidated.data.isEmpty && revalidated.timeline.requests == 1)
        }
    }

    @Test("a cancelled download resumes with a range (P011)")
    func range() async throws {
        try await withBothProtocols("slow/big") { downloader, request in
            let started = OneTimeSignal()
            let cancelled = Task {
                try await downloader.load(
                    request,
                    LoadContext { progress in
                        if progress.received > 100_000 { started.send() }
                    })
            }
            await started.wait()
            cancelled.cancel()
            await #expect(throws: ImageError.cancelled) { try await cancelled.value }
            let start = OneTimeSignal()
            let loaded = try await downloader.load(
                request,
                LoadContext { progress in
                    // The first update reports the bytes of the partial download.
                    start.send(progress.received)
                })
            #expect(loaded.data == big)
            #expect(await start.wait() > 100_000)
        }
    }
}

/// A number that is sent once and awaited.
private struct OneTimeSignal: Sendable {
    private let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1)) }

    func send(_ number: Int = 0) { continuation.yield(number) }

    @discardableResult
    func wait() async -> Int {
        for await number in stream { return number }
        return 0
    }
}
