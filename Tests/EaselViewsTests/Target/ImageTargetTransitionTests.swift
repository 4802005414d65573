import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: transitions", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetTransitionTests {
    @Test("S044, X196: an image from the network has the transition, and the completion follows its start")
    func fromNetwork() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.transition = .fade(duration: .milliseconds(250))
        view.setImage(with: fixture.url(7), manager: fixture.manager, completion: view.completion)
        try await until { view.log.last == "completed 7" }
        #expect(view.log == ["nothing", "fade to 7", "completed 7"])
    }

    @Test("X196: an image from memory has no transition")
    func fromMemory() async {
        let fixture = TargetFixture()
        await fixture.inMemory(7)
        fixture.view.transition = .fade
        fixture.view.setImage(with: fixture.url(7), manager: fixture.manager)
        #expect(fixture.view.log == ["7"])
    }

    @Test("X009: forceTransition applies the transition to an image from memory")
    func forced() async {
        let fixture = TargetFixture()
        await fixture.inMemory(7)
        fixture.view.transition = .fade
        fixture.view.setImage(with: fixture.url(7), options: .forceTransition, manager: fixture.manager)
        #expect(fixture.view.log == ["fade to 7"])
    }

    @Test("X196: a transition takes half a second and runs for its sources; kind none never runs")
    func sources() {
        #expect(ImageTransition.fade.duration == .milliseconds(500))
        #expect(ImageSource.allCases.filter { ImageTransition.fade.runs(for: $0, isForced: false) } == [.network])
        let more = ImageTransition(.zoom, sources: [.network, .disk])
        #expect(more.runs(for: .disk, isForced: false))
        #expect(!more.runs(for: .memory, isForced: false))
        #expect(more.runs(for: .memory, isForced: true))
        #expect(!ImageTransition(.none).runs(for: .network, isForced: true))
    }

    @Test("X016: with waitTransition the completion is called once, after the transition")
    func waits() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.transition = ImageTransition(.slide(from: .bottom))
        view.setImage(
            with: fixture.url(7), options: .waitTransition, manager: fixture.manager, completion: view.completion)
        try await until { !view.transitions.isEmpty }
        await mainTurns()
        #expect(view.log.last == "slide(from: EaselViews.ImageTransition.Edge.bottom) to 7")
        for finish in view.transitions + view.transitions { finish() }
        #expect(view.log.filter { $0.hasPrefix("completed") } == ["completed 7"])
    }

    @Test("X016: with waitTransition, but no transition, the completion is called at once")
    func doesNotWaitInVain() async {
        let fixture = TargetFixture()
        await fixture.inMemory(7)
        let view = fixture.view
        view.setImage(
            with: fixture.url(7), options: .waitTransition, manager: fixture.manager, completion: view.completion)
        #expect(view.log == ["7", "completed 7"])
    }

    @Test("X016: a waiting completion is called even if the slot was set again")
    func supersededWhileItRuns() async throws {
        let fixture = TargetFixture(holding: 8)
        let view = fixture.view
        view.transition = .fade
        view.setImage(
            with: fixture.url(7), options: .waitTransition, manager: fixture.manager, completion: view.completion)
        try await until { !view.transitions.isEmpty }
        view.setImage(with: fixture.url(8), manager: fixture.manager)
        for finish in view.transitions { finish() }
        #expect(view.log == ["nothing", "fade to 7", "nothing", "completed 7"])
    }

    @Test("X196: a custom transition shows the image itself, and can check whether the slot was set again")
    func custom() async throws {
        let fixture = TargetFixture(holding: 8)
        let view = fixture.view
        var steps: [ImageTransition.Step] = []
        view.transition = ImageTransition(.custom { steps.append($0) }, duration: .seconds(1))
        view.setImage(
            with: fixture.url(7), options: .waitTransition, manager: fixture.manager, completion: view.completion)
        try await until { !steps.isEmpty }
        let step = try #require(steps.first)
        #expect(view.log == ["nothing"])
        #expect(Optional(step.image).name == "7")
        #expect(step.slot == .image)
        #expect(step.target === view)
        #expect(step.isCurrent)
        view.setImage(with: fixture.url(8), manager: fixture.manager)
        #expect(!step.isCurrent)
        step.finish()
        #expect(view.log.last == "completed 7")
        steps = []
    }

    @Test("placeholders and previews have no transition")
    func onlyTheEnd() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.transition = .fade
        let grey = try PixelValue.image(100)
        view.setImage(
            with: fixture.url(404), placeholder: .image(grey), errorPlaceholder: .image(grey),
            options: .forceTransition, manager: fixture.manager, completion: view.completion)
        try await until { view.log.last == "failed status" }
        #expect(view.log == ["100", "100", "failed status"])
    }
}
