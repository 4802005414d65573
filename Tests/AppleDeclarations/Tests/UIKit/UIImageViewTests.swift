import EaselUIKit
import Foundation
import Testing
import UIKit

extension UIImage {
    /// The picture that it shows, by its pixels.
    var number: Int? { cgImage?.number }
}

extension UIImageView {
    /// All that was shown, in order; nothing is -1.
    var history: [Int] { shown.map { $0?.number ?? -1 } }
}

@Suite("UIImageView", .timeLimit(.minutes(1)))
@MainActor
struct UIImageViewTests {
    private let view = UIImageView(frame: .zero)

    @Test("S023 to S030, S049: cleared or placeholder, then the picture, then the completion, on the main actor")
    func order() async throws {
        let pictures = Pictures()
        var shownAtEnd: Int?
        view.easel.setImage(
            with: pictures.url(7), placeholder: .image(try .solid(1)), manager: pictures.manager
        ) { [view] _ in
            MainActor.assertIsolated()
            shownAtEnd = view.image?.number
        }
        #expect(view.history == [1])
        await until { shownAtEnd != nil }
        #expect(shownAtEnd == 7)
        #expect(view.history == [1, 7])
    }

    @Test("S014: the URL that was bound last can be read, a nil one too")
    func url() {
        let pictures = Pictures(holding: 7)
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager)
        #expect(view.easel.imageURL == pictures.url(7))
        view.easel.setImage(with: nil as URL?, manager: pictures.manager)
        #expect(view.easel.imageURL == nil)
    }

    @Test("S023: a recycled cell never shows the slow old picture over the fast new one")
    func reuse() async {
        let pictures = Pictures(holding: 7, 8)
        var outcomes: [String] = []
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager) { outcome in
            if case .failure(let error) = outcome { outcomes.append(error.code) }
        }
        view.easel.setImage(with: pictures.url(8), manager: pictures.manager) { _ in outcomes.append("8") }
        pictures.open(8)
        await until { outcomes.contains("8") }
        pictures.open(7)
        await until { outcomes.contains("cancelled") }
        await mainTurns()
        #expect(view.history == [-1, -1, 8])
    }

    @Test("S015: a cancelled load shows nothing more, and its completion hears of it")
    func cancel() async {
        let pictures = Pictures(holding: 7)
        var outcome: Result<ImageResponse, ImageError>?
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager) { outcome = $0 }
        view.easel.cancelImageLoad()
        await until { outcome != nil }
        #expect(throws: ImageError.cancelled) { try outcome?.get() }
        #expect(view.history == [-1])
    }

    @Test("S026: without a URL the placeholder is all, and the completion hears why before the call returns")
    func noURL() throws {
        let pictures = Pictures()
        var outcome: Result<ImageResponse, ImageError>?
        let task = view.easel.setImage(
            with: nil as URL?, placeholder: .image(try .solid(1)), manager: pictures.manager
        ) { outcome = $0 }
        #expect(task == nil)
        #expect(view.history == [1])
        #expect(throws: ImageError.invalidURL("There is no URL to load.")) { try outcome?.get() }
    }

    @Test("S025, S031: a delayed placeholder leaves the old picture, and comes where none does")
    func delayedPlaceholder() async throws {
        let pictures = Pictures()
        var ended = false
        view.easel.setImage(
            with: pictures.url(404), placeholder: .image(try .solid(1)), options: .delayPlaceholder,
            manager: pictures.manager
        ) { _ in ended = true }
        #expect(view.history.isEmpty)
        await until { ended }
        #expect(view.history == [1])
    }

    @Test("S029, S034: the completion shows the picture where it was asked to; without one the view does")
    func avoidAutoSet() async {
        let pictures = Pictures()
        var brought: Int?
        view.easel.setImage(
            with: pictures.url(7), options: .avoidAutoSetImage, manager: pictures.manager
        ) { brought = (try? $0.get()).flatMap { UIImage($0.image) }?.number }
        await until { brought != nil }
        #expect(brought == 7)
        #expect(view.image == nil)
        view.easel.setImage(with: pictures.url(8), options: .avoidAutoSetImage, manager: pictures.manager)
        await until { view.image != nil }
        #expect(view.image?.number == 8)
    }

    @Test("S016, S040: what memory has of the picture stands in for the placeholder")
    func previousCachedImage() async throws {
        let pictures = Pictures()
        await pictures.inMemory(7)
        // Another size of the same picture, which is loaded anew. As soon as it is there, it is what memory has.
        pictures.hold(7)
        let request = ImageRequest(pictures.url(7)) {
            $0.targetSize = .pixels(width: 4, height: 3)
            $0.cache.queryOriginal = .none
        }
        view.easel.setImage(
            with: request, placeholder: .image(try .solid(1)), options: .previousCachedImage,
            manager: pictures.manager)
        #expect(view.image?.cgImage?.width == 8)
        pictures.open(7)
        await until { view.image?.cgImage?.width == 4 }
        #expect(!view.history.contains(1))
    }

    @Test("P018, X198: a picture in memory is there before the call returns, and nothing before it")
    func memory() async {
        let pictures = Pictures()
        await pictures.inMemory(7)
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager)
        #expect(view.history == [7])
    }

    @Test("X193: the highlighted picture has a load of its own")
    func highlighted() async {
        let pictures = Pictures(holding: 7)
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager)
        view.easel.setImage(with: pictures.url(8), in: .highlighted, manager: pictures.manager)
        await until { view.highlightedImage != nil }
        #expect(view.highlightedImage?.number == 8)
        #expect(view.image == nil)
        pictures.open(7)
        await until { view.image != nil }
        #expect(view.image?.number == 7)
    }

    @Test("S017, S041, S042: animation images play in the order of their URLs, whichever comes first")
    func animationImages() async {
        let pictures = Pictures(holding: 1)
        view.easel.setAnimationImages(
            with: [pictures.url(1), pictures.url(2), pictures.url(3)], manager: pictures.manager)
        await mainTurns()
        #expect(!view.isAnimating)
        pictures.open(1)
        await until { view.isAnimating }
        #expect(view.animationImages?.map(\.number) == [1, 2, 3])
    }

    @Test("S017: cancelled animation images are not shown")
    func cancelledAnimation() async {
        let pictures = Pictures(holding: 1)
        var ended = false
        view.easel.setAnimationImages(with: [pictures.url(1)], manager: pictures.manager) { _ in ended = true }
        view.easel.cancelAnimationImages()
        await until { ended }
        #expect(view.animationImages == nil)
    }

    @Test("S027, S028, X197: a view that is gone is not kept, and ends its load without a word")
    func released() async {
        let pictures = Pictures(holding: 7)
        weak var gone: UIImageView?
        var task: ImageTask?
        var hasEnded = false
        do {
            let view = UIImageView(frame: .zero)
            gone = view
            task = view.easel.setImage(with: pictures.url(7), manager: pictures.manager) { _ in hasEnded = true }
        }
        #expect(gone == nil)
        await until { task?.isCancelled == true }
        pictures.open(7)
        await mainTurns()
        #expect(!hasEnded)
    }

    @Test("S030: the view is laid out anew when the picture is there")
    func layout() async {
        let pictures = Pictures()
        view.easel.setImage(with: pictures.url(7), manager: pictures.manager)
        let before = view.layoutRequests
        await until { view.image != nil }
        #expect(view.layoutRequests > before)
    }

    @Test("S018, S021, S043: any view shows pictures by a setter of the caller's")
    func setter() async {
        let pictures = Pictures()
        let view = UIView(frame: .zero)
        var set: [Int?] = []
        view.easel.setImage(
            with: pictures.url(7), manager: pictures.manager,
            setter: { set.append($0.flatMap { UIImage($0) }?.number) }, completion: nil)
        await until { set.count == 2 }
        #expect(set == [nil, 7])
    }

    @Test("S013: the short form loads by the manager of all views")
    func shortForm() async {
        let pictures = Pictures()
        let before = ViewTarget.manager
        ViewTarget.manager = pictures.manager
        defer { ViewTarget.manager = before }
        view.easel.setImage(with: pictures.url(7))
        await until { view.image != nil }
        #expect(view.image?.number == 7)
    }
}
