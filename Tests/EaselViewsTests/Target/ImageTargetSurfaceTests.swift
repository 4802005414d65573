import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: API", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetSurfaceTests {
    @Test("S013: URL or request, with and without callbacks, load the same image")
    func conveniences() async throws {
        let fixture = TargetFixture()
        let request = ImageRequest(fixture.url(7))
        let manager = fixture.manager
        let calls: [(TestView) -> Void] = [
            { $0.setImage(with: request.url, manager: manager) },
            { $0.setImage(with: request, manager: manager) },
            { $0.setImage(with: request.url, placeholder: .color(.white), options: [], manager: manager) { _ in } },
            { $0.setImage(with: request, in: .image, manager: manager, progress: { _ in }) },
        ]
        for call in calls {
            let view = TestView()
            call(view)
            try await until { view.image.name == "7" }
        }
        #expect(fixture.parts.loader.requests.count == 1)
    }

    @Test("S014: imageURL is the last URL that was set, or nil")
    func imageURL() {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        #expect(view.imageURL == nil)
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        #expect(view.imageURL == fixture.url(7))
        view.cancelImageLoad()
        #expect(view.imageURL == fixture.url(7))
        view.setImage(with: nil, manager: fixture.manager)
        #expect(view.imageURL == nil)
    }

    @Test("S015, X058: cancelling ends the load, shows nothing and calls the completion in a later turn")
    func cancels() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        let task = view.setImage(with: fixture.url(7), manager: fixture.manager, completion: view.completion)
        view.cancelImageLoad()
        #expect(task?.isCancelled == true)
        #expect(view.imageTask() == nil)
        #expect(view.log == ["nothing"])
        fixture.open(7)
        try await until { view.log.count > 1 }
        await mainTurns()
        #expect(view.log == ["nothing", "failed cancelled"])
    }

    @Test("a task that the caller cancels ends the load, with one completion")
    func taskCancelled() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.log = []
        let task = view.setImage(
            with: fixture.url(7), errorPlaceholder: .color(.white), manager: fixture.manager,
            completion: view.completion)
        task?.cancel()
        try await until { view.log.contains("failed cancelled") }
        await mainTurns()
        #expect(view.log.filter { !$0.hasPrefix("fraction") } == ["nothing", "start", "stop", "failed cancelled"])
    }

    @Test("S018, S043: a custom setter replaces that of the target")
    func setter() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.transition = .fade
        var set: [String] = []
        view.setImage(
            with: fixture.url(7), placeholder: .image(try PixelValue.image(100)), manager: fixture.manager,
            completion: view.completion, setter: { set.append($0.name) })
        try await until { !view.log.isEmpty }
        #expect(set == ["100", "7"])
        #expect(view.log == ["completed 7"])
    }

    @Test("S019: the completion receives the image, the error, the source and the URL")
    func completionHasAll() async throws {
        let fixture = TargetFixture()
        var outcomes: [Result<ImageResponse, ImageError>] = []
        for (index, number) in [7, 7, 404].enumerated() {
            fixture.view.setImage(with: fixture.url(number), manager: fixture.manager) { outcomes.append($0) }
            try await until { outcomes.count == index + 1 }
        }
        #expect(outcomes.map { try? $0.get().source } == [.network, .memory, nil])
        #expect(outcomes.first.flatMap { try? $0.get().request.url } == fixture.url(7))
        #expect(outcomes.last?.error == .status(404))
    }

    @Test("S020: progress reports received and expected bytes on the main actor")
    func progress() async throws {
        let fixture = TargetFixture(holding: 7)
        var updates: [LoadProgress] = []
        fixture.view.setImage(with: fixture.url(7), manager: fixture.manager, progress: { updates.append($0) })
        try await until { !updates.isEmpty }
        #expect(Set(updates) == [LoadProgress(received: 5, expected: 10)])
        #expect(fixture.view.imageProgress() == updates.first)
    }

    @Test("S021, X193: every position and state has a slot, and setting one does not cancel another")
    func slots() async throws {
        let slots: [ImageSlot] = [
            .image, .highlighted, .background, .alternate, .image(for: .disabled), .background(for: .disabled),
            .image(for: ControlState("prelight")), .custom("badge"),
        ]
        let fixture = TargetFixture(holding: 1)
        let view = fixture.view
        let tasks = slots.map { view.setImage(with: fixture.url(1), in: $0, manager: fixture.manager) }
        #expect(tasks.allSatisfy { $0?.isCancelled == false })
        fixture.open(1)
        try await until { slots.allSatisfy { view.images[$0].name == "1" } }
        #expect(view.images.count == slots.count)
    }

    @Test("X193: an unset slot has no URL, even if the normal slot has one")
    func noFallback() {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        view.setImage(with: fixture.url(2), in: .image(for: .disabled), manager: fixture.manager)
        #expect(view.imageURL(in: .image) == fixture.url(1))
        #expect(view.imageURL(in: .image(for: .disabled)) == fixture.url(2))
        #expect(view.imageURL(in: .image(for: .highlighted)) == nil)
        #expect(view.imageURL(in: .background) == nil)
    }

    @Test("X192: imageURL is that of the slot that was set last")
    func latestSlot() {
        let fixture = TargetFixture(holding: 1, 2)
        let view = fixture.view
        view.setImage(with: fixture.url(1), manager: fixture.manager)
        view.setImage(with: fixture.url(2), in: .highlighted, manager: fixture.manager)
        #expect(view.imageURL == fixture.url(2))
    }

    @Test("X192: progress starts at zero, and is 1 of 1 after a load without progress")
    func progressBounds() async throws {
        let fixture = TargetFixture(holding: 8, 9)
        let view = fixture.view
        #expect(view.imageProgress() == LoadProgress(received: 0, expected: nil))
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        try await until { view.imageTask() == nil }
        #expect(view.imageProgress() == LoadProgress(received: 1, expected: 1))
        view.setImage(with: fixture.url(9), manager: fixture.manager)
        try await until { view.imageProgress().received == 5 }
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        #expect(view.imageProgress() == LoadProgress(received: 1, expected: 1))
        var atStart: LoadProgress?
        view.indicator = StartProbe { atStart = view.imageProgress() }
        view.setImage(with: fixture.url(8), manager: fixture.manager)
        #expect(atStart == LoadProgress(received: 0, expected: nil))
        view.indicator = nil
    }

    @Test("S035: a finished task is not retained")
    func endedTask() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        weak let task = view.setImage(with: fixture.url(7), manager: fixture.manager)
        try await until { view.image.name == "7" }
        try await until { task == nil }
        #expect(view.imageTask() == nil)
    }

    @Test("S037: one slot can be cancelled, or all of them and the animation")
    func cancelsAll() {
        let fixture = TargetFixture(holding: 1, 2, 3)
        let view = fixture.view
        let image = view.setImage(with: fixture.url(1), manager: fixture.manager)
        let other = view.setImage(with: fixture.url(2), in: .highlighted, manager: fixture.manager)
        let frames = view.setAnimationImages(with: [fixture.url(3)], manager: fixture.manager)
        view.cancelImageLoad(in: .highlighted)
        #expect([image, other].map { $0?.isCancelled } == [false, true])
        view.cancelImageLoads()
        #expect(image?.isCancelled == true)
        #expect(frames.map(\.isCancelled) == [true])
    }

    @Test("S038: the image and the animation load separately")
    func imageAndAnimation() {
        let fixture = TargetFixture(holding: 1, 2, 3)
        let view = fixture.view
        let frames = view.setAnimationImages(with: [fixture.url(1)], manager: fixture.manager)
        let image = view.setImage(with: fixture.url(2), manager: fixture.manager)
        view.cancelAnimationImages()
        #expect(frames.map(\.isCancelled) == [true])
        #expect(image?.isCancelled == false)
    }

    @Test("S039: a download is cancelled when its last target cancels")
    func lastOneEndsIt() async throws {
        let fixture = TargetFixture(holding: 7)
        let views = [TestView(), TestView()]
        for view in views { view.setImage(with: fixture.url(7), manager: fixture.manager) }
        try await until { views.allSatisfy { $0.imageProgress().received == 5 } }
        views[0].cancelImageLoad()
        #expect(fixture.parts.loader.cancellations.count == 0)
        #expect(views[1].imageTask() != nil)
        views[1].cancelImageLoad()
        try await until { fixture.parts.loader.cancellations.count == 1 }
    }

    @Test("S049: every callback is called on the main actor")
    func mainActor() async throws {
        let fixture = TargetFixture(holding: 7)
        var calls: Set<String> = []
        fixture.view.setImage(
            with: fixture.url(7), manager: fixture.manager
        ) { _ in
            MainActor.preconditionIsolated()
            calls.insert("completion")
        } progress: { _ in
            MainActor.preconditionIsolated()
            calls.insert("progress")
            fixture.open(7)
        }
        try await until { calls.contains("completion") }
        #expect(calls == ["progress", "completion"])
    }
}

/// An indicator that calls a closure when it starts.
@MainActor
private final class StartProbe: LoadIndicator {
    private let body: @MainActor () -> Void
    init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    func start() { body() }
    func stop() {}
}
