import EaselTesting
import Testing

@testable import EaselCore
@testable import EaselViews

/// A view of a platform.
@MainActor
private final class PlatformImageView {
    var image: DecodedImage?
    var highlightedImage: DecodedImage?
    var bounds = PixelSize(4, 3)
}

/// The complete adapter for this view.
@MainActor
private final class PlatformTarget: ImageTarget {
    let view: PlatformImageView
    let targetState = ImageTargetState()
    init(_ view: PlatformImageView) { self.view = view }
    var pixelSize: PixelSize? { view.bounds }
    func show(_ image: DecodedImage?, in slot: ImageSlot) {
        if slot == .highlighted { view.highlightedImage = image } else { view.image = image }
    }
}

/// The smallest possible target.
@MainActor
private final class Thumbnail: ImageTarget {
    var shown: DecodedImage?
    func show(_ image: DecodedImage?, in slot: ImageSlot) { shown = image }
}

@Suite("ImageTarget: platforms", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetStandInTests {
    @Test("S001, S021, R020: ten lines make a platform's view a target")
    func platform() async throws {
        let fixture = TargetFixture()
        let target = PlatformTarget(PlatformImageView())
        target.setImage(with: fixture.url(7), manager: fixture.manager)
        target.setImage(with: fixture.url(8), in: .highlighted, manager: fixture.manager)
        try await until { target.view.image != nil && target.view.highlightedImage != nil }
        #expect(target.view.image.name == "7")
        #expect(target.view.highlightedImage.name == "8")
        #expect(target.view.image?.size == PixelSize(4, 3))
    }

    @Test("a target that implements only show has every feature")
    func least() async throws {
        let fixture = TargetFixture()
        let target = Thumbnail()
        var hasEnded = false
        target.setImage(with: fixture.url(7), manager: fixture.manager) { _ in hasEnded = true }
        try await until { hasEnded }
        #expect(target.shown.name == "7")
        #expect(target.shown?.size == PixelSize(8, 6))
        #expect(target.imageURL == fixture.url(7))
    }
}
