import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: threads", .timeLimit(.minutes(1)))
struct ImageManagerThreadsTests {
    /// A coder that records its threads.
    private struct ThreadCoder: ImageDecoding {
        let coder = TestCoder()
        let threads = Recorder<CurrentThread>()
        var format: ImageFormat { coder.format }

        func header(of data: Data) throws(ImageError) -> ImageHeader { try coder.header(of: data) }

        func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
            threads.record(CurrentThread())
            return try coder.decode(data, options)
        }
    }

    @Test(
        "images are decoded on load threads and do not block the main thread (S006, S009, S167)",
        .enabled(if: CurrentThread.hasName))
    @MainActor func decoding() async throws {
        let coder = ThreadCoder()
        var configuration = ImageManager.Configuration()
        configuration.loader = ScriptedLoader()
        configuration.coders = CoderRegistry(decoders: [coder])
        let manager = ImageManager(configuration: configuration)
        _ = try await manager.image(for: try ManagerFixture.request())
        #expect(coder.threads.events.map(\.name) == ["easel-loads"])
        #expect(coder.threads.events.first?.identity != CurrentThread().identity)
    }

    /// A coder that decodes when it is released.
    private struct HeldCoder: ImageDecoding {
        let coder = TestCoder()
        let work = BlockingWork()
        var format: ImageFormat { coder.format }

        func header(of data: Data) throws(ImageError) -> ImageHeader { try coder.header(of: data) }

        func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
            work.block()
            return try coder.decode(data, options)
        }
    }

    @Test("while every core is decoding, other loads proceed")
    func steps() async throws {
        let coder = HeldCoder()
        var configuration = ImageManager.Configuration()
        configuration.loader = ScriptedLoader { request, _ throws(ImageError) in
            if request.url.lastPathComponent == "gone" { throw .status(404) }
            return LoadedData(data: TestCoder.file(), source: .network)
        }
        configuration.coders = CoderRegistry(decoders: [coder])
        let manager = ImageManager(configuration: configuration)
        let loads = try (0..<coreCount).map {
            manager.load(try ManagerFixture.request("http://example.com/\($0).test"))
        }
        await coder.work.waitForStart(coreCount)
        let cancelledLoad = manager.load(try ManagerFixture.request("http://example.com/gone"))
        #expect(await cancelledLoad.outcome.error == .status(404))
        for _ in loads { coder.work.release() }
        for load in loads { _ = try await load.response }
    }

    @Test("two managers share the limit of concurrent decodes, which is the number of cores")
    func sharedBound() {
        let managers = [ManagerFixture().manager, ManagerFixture().manager]
        let bounds = managers.map(\.pipeline.processor.admission)
        #expect(bounds[0] === bounds[1])
        #expect(bounds[0].limit == coreCount)
    }

    @Test("concurrent loads of one image from disk decode it once (X086)")
    func diskOnce() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        fixture.cache.put(TestCoder.file(), for: request.originalKey)
        let tasks = (0..<50).map { _ in fixture.manager.load(request) }
        for task in tasks { _ = try await task.response }
        #expect(fixture.coder.decodes.count == 1)
        #expect(fixture.loader.requests.isEmpty)
    }
}
