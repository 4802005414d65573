import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("ImageTarget: placeholders", .timeLimit(.minutes(1)))
@MainActor
struct ImageTargetPlaceholderTests {
    private let hash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    @Test("S016, S040: with previousCachedImage an image in memory replaces the placeholder")
    func previousCachedImage() async throws {
        let fixture = TargetFixture(holding: 8)
        let view = fixture.view
        let request = ImageRequest(fixture.url(7)) { $0.options = .fromLoaderOnly }
        await fixture.inMemory(7)
        let white = Placeholder.image(try PixelValue.image(255))
        view.setImage(
            with: request, placeholder: white, options: .previousCachedImage, manager: fixture.manager,
            completion: view.completion)
        try await until { view.log.contains("completed 7") }
        #expect(view.log == ["7", "7", "completed 7"])
        view.setImage(
            with: fixture.url(8), placeholder: white, options: .previousCachedImage, manager: fixture.manager)
        #expect(view.log.last == "255")
    }

    @Test("S016: with previousCachedImage, but no image in memory and no placeholder, the slot is cleared")
    func noPreviousCachedImage() {
        let fixture = TargetFixture(holding: 8)
        fixture.view.setImage(with: fixture.url(8), options: .previousCachedImage, manager: fixture.manager)
        #expect(fixture.view.log == ["nothing"])
    }

    @Test("the placeholder of the request is shown once, unless the call has one")
    func ofRequest() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        let request = ImageRequest(fixture.url(7)) { $0.placeholder = .color(.white) }
        view.setImage(with: request, manager: fixture.manager, completion: view.completion)
        try await until { view.log.contains("completed 7") }
        #expect(view.log == ["255", "7", "completed 7"])
        view.log = []
        let other = ImageRequest(fixture.url(8)) { $0.placeholder = .color(.white) }
        view.setImage(with: other, placeholder: .image(try PixelValue.image(100)), manager: fixture.manager)
        #expect(view.log == ["100"])
    }

    @Test("with a hash the old image is cleared at once, and the decoded hash is shown until an image arrives")
    func blurHash() async throws {
        let fixture = TargetFixture(holding: 7)
        let view = fixture.view
        view.setImage(with: fixture.url(7), placeholder: .blurHash(hash), manager: fixture.manager)
        #expect(view.log == ["nothing"])
        try await until { view.log.count >= 2 }
        #expect(view.image?.size == PixelSize(32, 32))
        fixture.open(7)
        try await until { view.image.name == "7" }
    }

    @Test("B107: the error placeholder is shown after a failure, even if it must be decoded")
    func errorPlaceholder() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        let grey = try PixelValue.image(100)
        view.setImage(
            with: fixture.url(404), errorPlaceholder: .image(grey), options: .delayPlaceholder,
            manager: fixture.manager, completion: view.completion)
        try await until { view.log.last == "failed status" }
        #expect(view.log == ["100", "failed status"])
        view.setImage(
            with: nil, errorPlaceholder: .image(grey), manager: fixture.manager, completion: view.completion)
        #expect(view.log.dropFirst(2) == ["nothing", "100", "failed invalidURL"])
        view.setImage(with: fixture.url(500), errorPlaceholder: .blurHash(hash), manager: fixture.manager)
        try await until { view.image?.size == PixelSize(32, 32) }
    }

    @Test("R002: during a revalidation the cached image is shown, and a failure does not replace it")
    func refreshCached() async throws {
        let fixture = TargetFixture()
        let view = fixture.view
        let url = await fixture.inMemory(7)
        let request = ImageRequest(url) { $0.options = .refreshCached }
        view.setImage(
            with: request, errorPlaceholder: .image(try PixelValue.image(100)), manager: fixture.manager,
            completion: view.completion)
        try await until { view.log.contains("completed 7") }
        #expect(view.log == ["nothing", "7", "7", "completed 7"])
    }
}
