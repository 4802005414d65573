import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Manager: placeholders", .timeLimit(.minutes(1)))
struct ImageManagerPlaceholderTests {
    private let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    @Test("a colour is the first event, available before the call returns")
    func color() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let task = fixture.manager.load(try ManagerFixture.request { $0.placeholder = .color(.white) })
        let first = await task.events.first { _ in true }
        task.cancel()
        guard case .preview(let preview) = first else {
            Issue.record("\(String(describing: first)) instead of a preview")
            return
        }
        #expect(preview.image.metadata.isPlaceholder)
        #expect(preview.image.pixels[0, 0] == ImageColor.white.pixel)
    }

    @Test("a blur hash is decoded in the background and delivered when it is ready")
    func blurHash() async throws {
        let fixture = ManagerFixture(loader: .blocked(by: Gate()))
        let task = fixture.manager.load(try ManagerFixture.request { $0.placeholder = .blurHash(hash) })
        for await event in task.events {
            guard case .preview(let preview) = event else { continue }
            #expect(preview.image.size == PixelSize(32, 32))
            break
        }
        #expect(fixture.manager.placeholder(for: task.request) == nil)
        task.cancel()
    }

    @Test("an image in memory needs no placeholder")
    func inMemory() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request { $0.placeholder = .color(.white) }
        _ = try await fixture.manager.load(request).response
        let events = await fixture.manager.load(request).allEvents
        #expect(events.count == 1)
    }

    @Test("a placeholder is not delivered after an image of the load")
    func late() throws {
        var state = TaskState()
        let calls = Recorder<Bool>()
        _ = state.addObserver { event in
            if case .preview(let preview) = event { calls.record(preview.image.metadata.isPlaceholder) }
        }
        let request = try ManagerFixture.request()
        var image = try TestImage.gradient(2, 2).image()
        state.receive(.preview(ImageResponse(image: image, source: .network, request: request)))
        image.metadata.isPlaceholder = true
        state.receive(placeholder: ImageResponse(image: image, source: .memory, request: request))
        _ = state.beginDelivering()
        while let delivery = state.nextDelivery() { delivery.observer(delivery.event) }
        #expect(calls.events == [false])
    }

    @Test("loads with different placeholders share their work and their key")
    func sharing() async throws {
        let gate = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: gate))
        let requests = try [Placeholder.color(.white), .color(.black), .blurHash(hash)].map { placeholder in
            try ManagerFixture.request { $0.placeholder = placeholder }
        }
        #expect(Set(requests.map(\.key)).count == 1)
        let tasks = requests.map { fixture.manager.load($0) }
        for task in tasks { await task.firstProgress() }
        gate.open()
        for task in tasks { #expect(try await task.response.image.size == PixelSize(8, 6)) }
        #expect(fixture.coder.decodes.count == 1)
    }

    @Test("the best available placeholder is another size in memory")
    func bestAvailable() async throws {
        let fixture = ManagerFixture()
        var configuration = ImageManager.Configuration()
        configuration.cache = ImageCache(folder: nil as String?)
        configuration.loader = fixture.loader
        configuration.coders = CoderRegistry(decoders: [fixture.coder], encoders: [fixture.coder])
        let manager = ImageManager(configuration: configuration)
        let large = try ManagerFixture.request { $0.placeholder = .first([.cachedVariant, .color(.white)]) }
        #expect(manager.placeholder(for: large)?.pixels[0, 0] == ImageColor.white.pixel)
        _ = try await manager.load(try ManagerFixture.request { $0.targetSize = .pixels(width: 4, height: 4) }).response
        #expect(manager.placeholder(for: large)?.size == PixelSize(4, 3))
    }
}
