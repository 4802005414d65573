import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: animation images", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetAnimationTests {
    @Test("S017, S041, S042: images keep the order of the URLs and are shown once all are loaded")
    func order() async throws {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        let tasks = view.setAnimationImages(with: [1, 2, 3].map(fixture.url), manager: fixture.manager)
        #expect(tasks.count == 3)
        fixture.open(2)
        _ = await tasks[1].outcome
        _ = await tasks[2].outcome
        await mainTurns()
        #expect(view.log.isEmpty)
        fixture.open(1)
        try await until { !view.log.isEmpty }
        #expect(view.log == ["animation 1 2 3"])
    }

    @Test("S042: an image that fails is omitted, and the completion receives the others")
    func oneFails() async throws {
        let fixture = TargetFixture()
        var outcome: Result<[DecodedImage], ImageError>?
        fixture.view.setAnimationImages(with: [1, 404, 3].map(fixture.url), manager: fixture.manager) { outcome = $0 }
        try await until { outcome != nil }
        #expect(fixture.view.log == ["animation 1 3"])
        #expect((try? outcome?.get())?.count == 2)
    }

    @Test("if every load fails, nothing is shown")
    func allFail() async throws {
        let fixture = TargetFixture()
        var outcome: Result<[DecodedImage], ImageError>?
        fixture.view.setAnimationImages(with: [404, 500].map(fixture.url), manager: fixture.manager) { outcome = $0 }
        try await until { outcome != nil }
        #expect(fixture.view.log.isEmpty)
        #expect(outcome?.error == .status(404))
    }

    @Test("images in memory are shown before the call returns")
    func inMemory() async {
        let fixture = TargetFixture()
        for number in [1, 2] { await fixture.inMemory(number) }
        fixture.view.setAnimationImages(with: [2, 1].map(fixture.url), manager: fixture.manager)
        #expect(fixture.view.log == ["animation 2 1"])
    }

    @Test("S041: a later call cancels the earlier loads, and their completion is called in a later turn")
    func superseded() async throws {
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        var errors: [ImageError?] = []
        let first = view.setAnimationImages(with: [fixture.url(1)], manager: fixture.manager) {
            errors.append($0.error)
        }
        view.setAnimationImages(with: [fixture.url(2)], manager: fixture.manager)
        #expect(first.map(\.isCancelled) == [true])
        #expect(errors.isEmpty)
        try await until { !errors.isEmpty && !view.log.isEmpty }
        #expect(errors == [.cancelled])
        #expect(view.log == ["animation 2"])
    }

    @Test("S017: after a cancellation nothing is shown")
    func cancelled() async {
        let fixture = TargetFixture(holding: 1)
        let tasks = fixture.view.setAnimationImages(with: [fixture.url(1)], manager: fixture.manager)
        fixture.view.cancelAnimationImages()
        fixture.open(1)
        #expect(tasks.map(\.isCancelled) == [true])
        await mainTurns()
        #expect(fixture.view.log.isEmpty)
    }
}
