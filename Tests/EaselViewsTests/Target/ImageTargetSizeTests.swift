import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: size and visibility", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetSizeTests {
    @Test("R014: an image is decoded at the size of the target, unless the request or the options set another")
    func size() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.size = PixelSize(4, 3)
        #expect(try await decodedSize(fixture) == PixelSize(4, 3))
        #expect(try await decodedSize(fixture, options: .originalSize) == PixelSize(8, 6))
        #expect(try await decodedSize(fixture) { $0.targetSize = .pixels(width: 2, height: 2) } == PixelSize(2, 2))
        view.size = PixelSize(0, 0)
        #expect(try await decodedSize(fixture) == PixelSize(8, 6))
        view.size = nil
        #expect(try await decodedSize(fixture) == PixelSize(8, 6))
    }

    @Test("R014: by default the image covers the target")
    func covers() async throws {
        let fixture = TargetFixture()
        fixture.view.size = PixelSize(4, 4)
        #expect(try await decodedSize(fixture) == PixelSize(6, 4))
    }

    @Test("a target that grows loads a larger image, and shows the old one until then")
    func grows() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.indicator = TestIndicator(view)
        view.transition = .fade
        view.size = PixelSize(4, 3)
        view.setImage(
            with: fixture.url(7), placeholder: .color(.white), manager: fixture.manager, completion: view.completion)
        try await until { view.log.last == "completed 7" }
        view.log = []
        view.size = PixelSize(8, 6)
        view.targetSizeDidChange()
        try await until { view.image?.size == PixelSize(8, 6) }
        #expect(view.log == ["7"])
    }

    @Test("a target that shrinks, or an image without more pixels, loads nothing")
    func shrinks() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.size = PixelSize(8, 6)
        view.setImage(with: fixture.url(7), manager: fixture.manager)
        try await until { view.imageTask() == nil }
        for size in [PixelSize(2, 2), PixelSize(8, 6), PixelSize(80, 60)] {
            view.size = size
            view.targetSizeDidChange()
            #expect(view.imageTask() == nil)
        }
        #expect(fixture.parts.coder.decodes.count == 1)
    }

    @Test("a target that grows during a load loads again afterwards, without a second completion")
    func growsMeanwhile() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.size = PixelSize(4, 3)
        let task = view.setImage(with: fixture.url(7), manager: fixture.manager, completion: view.completion)
        view.size = PixelSize(8, 6)
        view.targetSizeDidChange()
        #expect(view.imageTask() === task)
        fixture.open(7)
        try await until { view.image?.size == PixelSize(8, 6) }
        #expect(view.log == ["nothing", "7", "completed 7", "7"])
    }

    @Test("a target that grows loads nothing if the request has a target size")
    func namedSize() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.size = PixelSize(4, 3)
        let request = ImageRequest(fixture.url(7)) { $0.targetSize = .pixels(width: 4, height: 3) }
        view.setImage(with: request, manager: fixture.manager)
        try await until { view.imageTask() == nil }
        view.size = PixelSize(8, 6)
        view.targetSizeDidChange()
        #expect(view.imageTask() == nil)
    }

    @Test("a target that grows does not load an image that it has forgotten")
    func forgotten() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        for forget in [
            { view.targetState.forgetImages(finishes: false) }, { view.targetState.forgetImages(finishes: true) },
            { view.targetState.forgetImage(in: .image) },
        ] {
            view.size = PixelSize(4, 3)
            view.setImage(with: fixture.url(7), manager: fixture.manager)
            try await until { view.imageTask() == nil }
            forget()
            view.size = PixelSize(8, 6)
            view.targetSizeDidChange()
            #expect(view.imageTask() == nil && view.imageURL == nil)
        }
    }

    @Test("a target that grows does not show an image that a setter has shown")
    func growsWithSetter() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        view.size = PixelSize(4, 3)
        view.setImage(with: fixture.url(7), manager: fixture.manager, setter: { _ in })
        try await until { view.imageTask() == nil }
        view.size = PixelSize(8, 6)
        view.targetSizeDidChange()
        #expect(view.imageTask() == nil)
    }

    @Test("B60: loads of an invisible target have low priority, those of a visible one the requested priority")
    func visibility() {
        let fixture = TargetFixture(holding: 1, 2, 3)
        let view = fixture.view
        let frames = view.setAnimationImages(with: [fixture.url(3)], manager: fixture.manager)
        let first = view.setImage(
            with: ImageRequest(fixture.url(1)) { $0.priority = .high }, manager: fixture.manager)
        view.targetDidDisappear()
        let second = view.setImage(with: fixture.url(2), in: .highlighted, manager: fixture.manager)
        #expect([first.priority, second?.priority, frames.first?.priority] == [.low, .low, .low])
        view.targetDidAppear()
        #expect([first.priority, second?.priority, frames.first?.priority] == [.high, .normal, .normal])
    }

    private func decodedSize(
        _ fixture: TargetFixture, options: TargetOptions = [], _ configure: (inout ImageRequest) -> Void = { _ in }
    ) async throws -> PixelSize? {
        let request = ImageRequest(fixture.url(7), configure)
        fixture.view.setImage(with: request, options: options, manager: fixture.manager)
        try await until { fixture.view.imageTask() == nil }
        return fixture.view.image?.size
    }
}
