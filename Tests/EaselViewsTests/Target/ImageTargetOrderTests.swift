import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: order", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetOrderTests {
    @Test("S022 to S034, X194, R021: the order is placeholder, indicator, progress, stop, image, completion")
    func wholeOrder() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.log = []
        view.setImage(
            with: fixture.url(7), manager: fixture.manager, completion: view.completion,
            progress: { [weak view] progress in
                if view?.log.contains("\(progress.received)") == false { view?.log.append("\(progress.received)") }
            })
        try await until { view.log.contains("5") }
        fixture.open(7)
        try await until { view.log.last == "completed 7" }
        #expect(view.log == ["nothing", "start", "fraction 0.5", "5", "stop", "7", "completed 7"])
    }

    @Test("S047, S048, P018: an image in memory is shown before the call returns, without a placeholder")
    func inMemory() async {
        let fixture = TargetFixture()
        let view = fixture.view
        await fixture.inMemory(7)
        view.indicator = TestIndicator(view)
        view.log = []
        view.setImage(
            with: fixture.url(7), placeholder: .color(.white), manager: fixture.manager, completion: view.completion)
        #expect(view.log == ["7", "completed 7"])
    }

    @Test("S047: a load that fails before the call returns calls its completion in a later turn")
    func endedAtOnce() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        fixture.manager.shutDown()
        view.setImage(with: fixture.url(7), manager: fixture.manager, completion: view.completion)
        #expect(view.log == ["nothing"])
        try await until { view.log.count > 1 }
        #expect(view.log == ["nothing", "failed invalidated"])
    }

    @Test("S022: the default slot is the image")
    func defaultSlot() async {
        let fixture = TargetFixture()
        await fixture.inMemory(7)
        fixture.view.setImage(with: fixture.url(7), manager: fixture.manager)
        #expect(fixture.view.images.keys.map { $0 } == [.image])
    }

    @Test("S023, B107: a slow earlier load never replaces a later image, and each completion is called once")
    func superseded() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        let slow = view.setImage(with: fixture.url(1), manager: fixture.manager, completion: view.completion)
        view.setImage(with: fixture.url(2), manager: fixture.manager, completion: view.completion)
        #expect(slow?.isCancelled == true)
        fixture.open(2)
        try await until { view.log.contains("completed 2") }
        fixture.open(1)
        try await until { view.log.contains("failed cancelled") }
        await mainTurns()
        #expect(view.log == ["nothing", "nothing", "failed cancelled", "2", "completed 2"])
    }

    @Test("S024: the URL is set before an image is shown")
    func bindsFirst() async {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        var bound: [String?] = []
        view.onShow = { bound.append(view.imageURL?.lastPathComponent) }
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        view.setImage(with: nil, manager: fixture.manager)
        #expect(bound == ["7", nil])
        view.onShow = nil
    }

    @Test("S025: the placeholder is shown in the same turn, and without one the old image is cleared")
    func placeholder() async throws {
        let fixture = TargetFixture(holding: 7, 8)
        let view = fixture.view
        let grey = try PixelValue.image(100)
        view.setImage(with: fixture.url(7), placeholder: .image(grey), manager: fixture.manager)
        #expect(view.log == ["100"])
        #expect(view.image?.metadata.isPlaceholder == true)
        view.setImage(with: fixture.url(8), manager: fixture.manager)
        #expect(view.log == ["100", "nothing"])
    }

    @Test("S026: without a URL the placeholder is shown, the completion is called at once and nothing is loaded")
    func nilURL() throws {
        let fixture = TargetFixture()
        let view = fixture.view
        let grey = try PixelValue.image(100)
        view.indicator = TestIndicator(view)
        view.log = []
        let task = view.setImage(
            with: nil, placeholder: .image(grey), manager: fixture.manager, completion: view.completion)
        #expect(task == nil)
        #expect(view.log == ["100", "failed invalidURL"])
        #expect(view.imageTask() == nil)
        #expect(fixture.parts.loader.requests.isEmpty)
    }

    @Test("S026: a nil URL ends the load of the slot and stops its indicator")
    func nilURLSupersedes() {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.log = []
        let task = view.setImage(with: fixture.url(7), manager: fixture.manager)
        view.setImage(with: nil, manager: fixture.manager)
        #expect(view.log.filter { !$0.hasPrefix("fraction") } == ["nothing", "start", "nothing", "stop"])
        #expect(task?.isCancelled == true)
    }

    @Test("S029: with avoidAutoSetImage only the completion receives the image")
    func avoidsAutoSet() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.setImage(
            with: fixture.url(7), options: .avoidAutoSetImage, manager: fixture.manager, completion: view.completion)
        try await until { view.log.last == "completed 7" }
        #expect(view.log == ["nothing", "completed 7"])
    }

    @Test("S034: with avoidAutoSetImage but without a completion the image is shown")
    func avoidsAutoSetWithoutCompletion() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.setImage(with: fixture.url(7), options: .avoidAutoSetImage, manager: fixture.manager)
        try await until { view.log.last == "7" }
        #expect(view.log == ["nothing", "7"])
    }

    @Test("S030, S032: the image is shown before the completion, which receives the original URL")
    func callersURL() async throws {
        var configuration = ImageManager.Configuration()
        let fixture = TargetFixture()
        configuration.loader = fixture.parts.loader
        configuration.coders = CoderRegistry(decoders: [fixture.parts.coder])
        let other = fixture.url(8)
        configuration.optionsProcessor = { request in ImageRequest(other) { $0.targetSize = request.targetSize } }
        let view = fixture.view
        var response: ImageResponse?
        view.setImage(with: fixture.url(7), manager: ImageManager(configuration: configuration)) { result in
            response = try? result.get()
            view.log.append("completed")
        }
        try await until { response != nil }
        #expect(view.log == ["nothing", "8", "completed"])
        #expect(response?.request.url == fixture.url(7))
        #expect(view.imageURL == fixture.url(7))
    }

    @Test("S031: a delayed placeholder is shown after a failure, and until then the old image stays")
    func delayedPlaceholder() async throws {
        let fixture = TargetFixture(holding: 404)
        let view = fixture.view
        await fixture.inMemory(7)
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        let grey = try PixelValue.image(100)
        view.setImage(
            with: fixture.url(404), placeholder: .image(grey), options: .delayPlaceholder, manager: fixture.manager,
            completion: view.completion)
        #expect(view.log == ["7"])
        fixture.open(404)
        try await until { view.log.last == "failed status" }
        #expect(view.log == ["7", "100", "failed status"])
    }

    @Test("S033, S036: the slot has its task before the first event of the load")
    func storeBeforeCompletion() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        var isShown: [Bool] = []
        let first = view.setImage(
            with: fixture.url(1), manager: fixture.manager, progress: { _ in isShown.append(view.imageTask() != nil) })
        #expect(view.imageTask() === first)
        try await until { !isShown.isEmpty }
        #expect(!isShown.contains(false))
        let second = view.setImage(with: fixture.url(2), manager: fixture.manager)
        #expect(first?.isCancelled == true)
        #expect(view.imageTask() === second)
    }

    @Test("R021: a target set again while it shows an image ends with the later one")
    func setAgainInside() async {
        let fixture = TargetFixture()
        let view = fixture.view
        for number in [7, 8] { await fixture.inMemory(number) }
        view.onShow = {
            view.onShow = nil
            view.setImage(with: fixture.url(8), manager: fixture.manager, completion: view.completion)
        }
        view.indicator = TestIndicator(view)
        view.log = []
        view.setImage(with: fixture.url(9), placeholder: .color(.white), manager: fixture.manager)
        await mainTurns()
        #expect(view.image.name == "8")
        #expect(view.imageURL == fixture.url(8))
        #expect(view.log == ["255", "8", "completed 8"])
    }

    @Test("X015: with avoidAutoCancel the earlier load continues, and never replaces the later image")
    func avoidsAutoCancel() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        let first = view.setImage(with: fixture.url(1), manager: fixture.manager, completion: view.completion)
        view.setImage(
            with: fixture.url(2), options: .avoidAutoCancel, manager: fixture.manager, completion: view.completion)
        #expect(first?.isCancelled == false)
        fixture.open(2)
        try await until { view.log.contains("completed 2") }
        fixture.open(1)
        try await until { view.log.contains("completed 1") }
        #expect(view.image.name == "2")
    }

    @Test("X015: with avoidAutoCancel the image of the earlier load is shown until the later one arrives")
    func coarseThenFine() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        view.setImage(with: fixture.url(2), options: .avoidAutoCancel, manager: fixture.manager)
        fixture.open(1)
        try await until { view.image.name == "1" }
        fixture.open(2)
        try await until { view.image.name == "2" }
        #expect(view.log == ["nothing", "nothing", "1", "2"])
    }

    @Test("X198: an evicted image that a view still shows is shown without a placeholder")
    func revived() async throws {
        var configuration = ImageManager.Configuration()
        let fixture = TargetFixture(holding: 8)
        let cache = ImageCache(folder: nil as String?) { $0.memory.keepsHeldImages = true }
        configuration.cache = cache
        configuration.loader = fixture.parts.loader
        configuration.coders = CoderRegistry(decoders: [fixture.parts.coder])
        let manager = ImageManager(configuration: configuration)
        let shows = TestView()
        shows.setImage(with: fixture.url(7), manager: manager)
        try await until { shows.image.name == "7" }
        cache.memory.trim(toCount: 0)
        let view = fixture.view
        view.setImage(with: fixture.url(7), placeholder: .color(.white), manager: manager)
        #expect(view.log == ["7"])
    }

    @Test("R021: a reused cell ends with its last image, whatever the order of the responses")
    func recycled() async throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            let numbers = Array(1...5)
            let fixture = TargetFixture(holding: 1, 2, 3, 4, 5)
            let view = fixture.view
            for number in numbers.shuffled(using: &random) {
                view.setImage(with: fixture.url(number), manager: fixture.manager, completion: view.completion)
                if Bool.random(using: &random) { await Task.yield() }
            }
            let last = view.imageURL?.lastPathComponent ?? ""
            for number in numbers.shuffled(using: &random) { fixture.open(number) }
            try await until { view.log.filter { $0.hasPrefix("completed") || $0.hasPrefix("failed") }.count == 5 }
            #expect(view.image.name == last)
            #expect(view.log.contains("completed \(last)"))
        }
    }
}
