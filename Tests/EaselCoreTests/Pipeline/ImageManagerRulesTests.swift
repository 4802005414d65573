import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: running loads and transformed images", .timeLimit(.minutes(1)))
struct ImageManagerRulesTests {
    @Test(
        "a load runs from its call to its end, and cancelAll ends every load (S053, S054, S065, S071, X060)"
    )
    func running() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        #expect(!fixture.manager.isRunning)
        let tasks = try ["a", "b"].map {
            fixture.manager.load(try ManagerFixture.request("http://example.com/\($0).test"))
        }
        #expect(fixture.manager.isRunning && tasks.allSatisfy { $0.currentOutcome == nil })
        fixture.manager.cancelAll()
        for task in tasks { #expect(await task.outcome.error == .cancelled) }
        #expect(!fixture.manager.isRunning)
        fixture.manager.cancelAll()
    }

    @Test("a load that has failed is not running (S095, S100)")
    func failed() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader { _, _ throws(ImageError) in throw .status(404) })
        let request = try ManagerFixture.request()
        #expect(await fixture.manager.load(request).outcome.error == .status(404))
        #expect(!fixture.manager.isRunning)
        #expect(await fixture.manager.load(request).outcome.error?.code == .blocked)
        #expect(!fixture.manager.isRunning)
    }

    @Test("a load continues without a reference to its task, and its image is cached (S061 is not copied)")
    func ignored() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let request = try ManagerFixture.request()
        fixture.manager.load(request)
        gate.open()
        try await until { !fixture.manager.isRunning }
        #expect(await fixture.manager.contains(request, in: .memory) == .memory)
        #expect(fixture.loader.requests.count == 1)
    }

    @Test("a URL loads like a request with that URL")
    func url() async throws {
        let fixture = ManagerFixture()
        let url = try ManagerFixture.request().url
        #expect(try await fixture.manager.load(url).response.image.size == PixelSize(8, 6))
        #expect(fixture.loader.requests.map(\.url) == [url])
    }

    @Test("a transformed image has the bytes of the original file (S104; X028 and X051 are not copied)")
    func data() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file(value: 1)))
        let request = try ManagerFixture.request {
            $0.transforms = [ImageTransform(InvertTransform())]
            $0.targetSize = .pixels(width: 4, height: 4)
        }
        let response = try await fixture.manager.load(request).response
        #expect(response.data == TestCoder.file(value: 1))
        #expect(response.source == .network)
        #expect(response.image.metadata.isTransformed && response.image.metadata.isThumbnail)
    }

    @Test("a transformed image has its own key and is made once, even after memory is cleared (S103, S105, R016)")
    func transformedOnce() async throws {
        let transform = InvertTransform()
        let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file(value: 1)))
        let request = try ManagerFixture.request { $0.transforms = [ImageTransform(transform)] }
        #expect(try await fixture.manager.image(for: request).pixels[0, 0].blue == 254)
        #expect(fixture.cache.files[request.originalKey] == TestCoder.file(value: 1))
        fixture.cache.forgetImages()
        let again = try await fixture.manager.load(request).response
        #expect(again.source == .disk && again.image.pixels[0, 0].blue == 254)
        #expect(transform.runs.count == 1 && fixture.loader.requests.count == 1)
    }

    @Test(
        "a still image is transformed with any options, on a load thread (S101, S102)",
        .enabled(if: CurrentThread.hasName))
    func transformThread() async throws {
        let names = Recorder<String>()
        let transform = ImageTransform.custom("thread") { image in
            names.record(CurrentThread().name)
            return image
        }
        let fixture = ManagerFixture()
        _ = try await fixture.manager.image(for: try ManagerFixture.request { $0.transforms = [transform] })
        #expect(names.events.count == 1)
        #expect(names.events.allSatisfy { $0.hasPrefix("easel-loads") })
    }
}
