#if Metrics
import EaselCore
import EaselMetrics
import EaselTesting
import Foundation
import MetricsTestKit
import Testing

@Suite("Metrics", .timeLimit(.minutes(1)))
struct MetricsObserverTests {
    private let metrics = TestMetrics()

    private func manager(_ transport: FakeTransport) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.loader = ImageDownloader(transport: transport)
        configuration.coders = CoderRegistry(decoders: [GreyCoder()])
        configuration.observers = [MetricsObserver(factory: metrics)]
        return ImageManager(configuration: configuration)
    }

    private func count(_ label: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
        try metrics.expectCounter(label, dimensions).totalValue
    }

    @Test("loads are counted by source, with their responses, downloads and bytes")
    func loads() async throws {
        let transport = FakeTransport()
        transport.respond(
            "http://images.test/a", with: .response(status: 302, headers: ["Location": "/b"]))
        transport.respond("http://images.test/b", with: .bytes(GreyCoder.file))
        let manager = manager(transport)
        let url = try #require(URL(string: "http://images.test/a"))
        _ = try await manager.image(for: url)
        _ = try await manager.image(for: url)
        #expect(try count("easel.loads", [("source", "network")]) == 1)
        #expect(try count("easel.loads", [("source", "memory")]) == 1)
        #expect(try count("easel.http.responses", [("status", "3xx")]) == 1)
        #expect(try count("easel.http.responses", [("status", "2xx")]) == 1)
        #expect(try count("easel.downloads", [("outcome", "finished")]) == 1)
        #expect(try count("easel.download.bytes") == Int64(GreyCoder.file.count))
        #expect(try metrics.expectTimer("easel.load.duration", [("source", "network")]).values.count == 1)
        #expect(try metrics.expectTimer("easel.stage.duration", [("stage", "decode")]).values.count == 1)
        #expect(try metrics.expectMeter("easel.loads.inflight").values.last == 0)
    }

    @Test("a failure is counted by its code, with its retry and its stopped download")
    func failure() async throws {
        let transport = FakeTransport()
        transport.respond("http://images.test/a", with: .response(status: 503), .response(status: 404))
        let manager = manager(transport)
        let url = try #require(URL(string: "http://images.test/a"))
        let request = ImageRequest(url) { $0.retry = .exponential(attempts: 1, first: .zero) }
        await #expect(throws: ImageError.status(404)) { try await manager.image(for: request) }
        #expect(try count("easel.loads.failed", [("code", "status")]) == 1)
        #expect(try count("easel.http.retries") == 1)
        #expect(try count("easel.downloads", [("outcome", "stopped")]) == 1)
    }

    @Test("evictions are taken from the statistics")
    func evictions() throws {
        let observer = MetricsObserver(factory: metrics)
        let cache = ImageCache(folder: nil as String?)
        var statistics = ManagerStatistics()
        statistics.memory = cache.memoryStatistics
        observer.record(statistics)
        #expect(try metrics.expectGauge("easel.memory.evictions").lastValue == 0)
    }

    @Test("the totals of a sandbox are recorded, its crashes by cause")
    func sandbox() throws {
        let observer = MetricsObserver(factory: metrics)
        var statistics = SandboxStatistics()
        statistics.startedWorkers = 5
        statistics.timeouts = 2
        statistics.crashesByCause = ["SIGSEGV": 3, "exit": 1]
        observer.record(statistics)
        #expect(try metrics.expectGauge("easel.sandbox.workers").lastValue == 5)
        #expect(try metrics.expectGauge("easel.sandbox.timeouts").lastValue == 2)
        #expect(try metrics.expectGauge("easel.sandbox.unprotected").lastValue == 0)
        #expect(try metrics.expectGauge("easel.sandbox.crashes", [("cause", "SIGSEGV")]).lastValue == 3)
        #expect(try metrics.expectGauge("easel.sandbox.crashes", [("cause", "exit")]).lastValue == 1)
    }
}

/// A coder for files of the bytes `GREY`, which are an image of one pixel.
struct GreyCoder: ImageDecoding {
    static let file = Data("GREY".utf8)
    let format = ImageFormat("grey", signatures: [.text("GREY")])

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        ImageHeader(format: format, storedSize: PixelSize(1, 1))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { bytes, _ in
            bytes.initializeMemory(as: UInt8.self, repeating: 128)
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(header: try header(of: data)))
    }
}
#endif
