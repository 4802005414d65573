import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore

@Suite("Downloads that end with a sufficient preview", .timeLimit(.minutes(1)))
struct SufficientPreviewTests {
    private let fixture = PreviewFixture(sufficientScans: 2)
    private let gates = [Gate(), Gate(), Gate()]
    /// The file has an announced length of a megabyte.
    private let length = FakeResponse.Length.announced(1 << 20)

    private func request(_ options: LoadOptions = [], _ configure: (inout ImageRequest) -> Void = { _ in }) throws
        -> ImageRequest
    {
        try fixture.request([.stopWhenSufficient, options]) {
            $0.targetSize = .pixels(width: 2, height: 1)
            configure(&$0)
        }
    }

    @Test("the download ends, the preview becomes the image, and the saved bytes are counted")
    func stops() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates, length: length)
        for gate in gates.dropLast() { gate.open() }
        let response = try await fixture.manager.load(try request()).response
        #expect(response.image.size.width == 2)
        #expect(!response.image.metadata.isPartial)
        #expect(response.source == .network)
        #expect(response.timeline.bytesSaved == (1 << 20) - GrowingCoder.head.count - 2)
        await fixture.transport.wait { $0.allSatisfy { $0.ending == .dropped } }
    }

    @Test("the image is cached under its own key, and the incomplete file is not cached")
    func caching() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates, length: length)
        for gate in gates.dropLast() { gate.open() }
        let request = try request()
        _ = try await fixture.manager.image(for: request)
        #expect(fixture.cache.imageKeys == [request.key])
        #expect(!fixture.cache.storedFiles.contains(request.originalKey))
        var exact = request
        exact.options.remove(.stopWhenSufficient)
        #expect(exact.key != request.key)
    }

    @Test("without the option the whole file is downloaded")
    func notAllowed() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates)
        for gate in gates { gate.open() }
        var request = try request(.progressive)
        request.options.remove(.stopWhenSufficient)
        let response = try await fixture.manager.load(request).response
        #expect(response.image.size.width == 3)
        #expect(response.timeline.bytesSaved == 0)
    }

    @Test("a request for the whole image is not served from a part")
    func wholeImage() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates)
        for gate in gates { gate.open() }
        let request = try request { $0.targetSize = .original }
        #expect(try await fixture.manager.load(request).response.image.size.width == 3)
    }

    @Test("a download with few bytes left is finished to keep the connection")
    func littleLeft() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates, length: .announced(GrowingCoder.head.count + 3))
        for gate in gates.dropLast() { gate.open() }
        let task = fixture.manager.load(try request(.progressive))
        for await event in task.events {
            if case .preview(let preview) = event, preview.image.size.width == 2 { break }
        }
        gates[2].open()
        #expect(try await task.response.image.size.width == 3)
    }

    @Test("other loads of the whole file continue")
    func others() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates, length: .announced((1 << 20)))
        fixture.transport.respond(
            PreviewFixture.url,
            with: .response(
                body: [
                    .bytes(GrowingCoder.head), .hold(gates[0]), .bytes(Data([9, 9])), .hold(gates[1]),
                    .bytes(Data(repeating: 9, count: 20_000)),
                ]))
        let complete = fixture.manager.load(try fixture.request([]))
        await complete.firstProgress()
        let early = fixture.manager.load(try request())
        await early.firstProgress()
        gates[0].open()
        #expect(try await early.response.image.size.width == 2)
        gates[1].open()
        #expect(try await complete.response.image.size.width == 20_002)
        #expect(fixture.transport.requests.count == 1)
    }

    @Test("cancelling ends the load like any other (S164)")
    func cancelled() async throws {
        fixture.answer(scans: [9, 9, 9], gates: gates, length: length)
        let task = fixture.manager.load(try request())
        await task.firstProgress()
        task.cancel()
        #expect(await task.outcome.error == .cancelled)
        await fixture.transport.wait { $0.allSatisfy { $0.ending == .dropped } }
    }
}
