import EaselViews
import EaselUIKit
import Foundation
import Testing
import UIKit

extension UIImage {
    /// The value of its pixels.
    var number: Int? { cgImage?.number }
}

extension UIImageView {
    /// The values of all shown images, in order; -1 for none.
    var history: [Int] { shown.map { $0?.number ?? -1 } }
}

@Suite("UIImageView", .timeLimit(.minutes(1)))
@MainActor
struct UIImageViewTests {
    private let view = UIImageView(frame: .zero)

    @Test("S023 to S030, S049: placeholder, image and completion follow in this order, on the main actor")
    func order() async throws {
        let images = Images()
        var shownAtEnd: Int?
        view.easel.setImage(
            with: images.url(7), placeholder: .image(try .solid(1)), manager: images.manager
        ) { [view] _ in
            MainActor.assertIsolated()
            shownAtEnd = view.image?.number
        }
        #expect(view.history == [1])
        await until { shownAtEnd != nil }
        #expect(shownAtEnd == 7)
        #expect(view.history == [1, 7])
    }

    @Test("S014: the image URL is the one last set, including nil")
    func url() {
        let images = Images(holding: 7)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        #expect(view.easel.imageURL == images.url(7))
        view.easel.setImage(with: nil as URL?, manager: images.manager)
        #expect(view.easel.imageURL == nil)
    }

    @Test("S023: a recycled cell never shows the slow old image over the fast new one")
    func reuse() async {
        let images = Images(holding: 7, 8)
        var outcomes: [String] = []
        view.easel.setImage(with: images.url(7), manager: images.manager) { outcome in
            if case .failure(let error) = outcome { outcomes.append(error.code.rawValue) }
        }
        view.easel.setImage(with: images.url(8), manager: images.manager) { _ in outcomes.append("8") }
        images.open(8)
        await until { outcomes.contains("8") }
        images.open(7)
        await until { outcomes.contains("cancelled") }
        await mainTurns()
        #expect(view.history == [-1, -1, 8])
    }

    @Test("S015: a cancelled load shows nothing more, and its completion gets the error")
    func cancel() async {
        let images = Images(holding: 7)
        var outcome: Result<ImageResponse, ImageError>?
        view.easel.setImage(with: images.url(7), manager: images.manager) { outcome = $0 }
        view.easel.cancelImageLoad()
        await until { outcome != nil }
        #expect(throws: ImageError.cancelled) { try outcome?.get() }
        #expect(view.history == [-1])
    }

    @Test("S026: without a URL only the placeholder is shown, and the completion gets an error before the call returns")
    func noURL() throws {
        let images = Images()
        var outcome: Result<ImageResponse, ImageError>?
        let task = view.easel.setImage(
            with: nil as URL?, placeholder: .image(try .solid(1)), manager: images.manager
        ) { outcome = $0 }
        #expect(task == nil)
        #expect(view.history == [1])
        #expect(throws: ImageError.invalidURL("There is no URL to load.")) { try outcome?.get() }
    }

    @Test("S025, S031: a delayed placeholder keeps the old image, and is shown if the load fails")
    func delayedPlaceholder() async throws {
        let images = Images()
        var hasEnded = false
        view.easel.setImage(
            with: images.url(404), placeholder: .image(try .solid(1)), options: .delayPlaceholder,
            manager: images.manager
        ) { _ in hasEnded = true }
        #expect(view.history.isEmpty)
        await until { hasEnded }
        #expect(view.history == [1])
    }

    @Test("S029, S034: with avoidAutoSetImage the completion shows the image, or the view if there is none")
    func avoidAutoSet() async {
        let images = Images()
        var number: Int?
        view.easel.setImage(
            with: images.url(7), options: .avoidAutoSetImage, manager: images.manager
        ) { number = (try? $0.get()).flatMap { UIImage($0.image) }?.number }
        await until { number != nil }
        #expect(number == 7)
        #expect(view.image == nil)
        view.easel.setImage(with: images.url(8), options: .avoidAutoSetImage, manager: images.manager)
        await until { view.image != nil }
        #expect(view.image?.number == 8)
    }

    @Test("S016, S040: another version of the image in memory replaces the placeholder")
    func previousCachedImage() async throws {
        let images = Images()
        await images.inMemory(7)
        // Another size of the same image, held so that memory has only the first one.
        images.hold(7)
        let request = ImageRequest(images.url(7)) {
            $0.targetSize = .pixels(width: 4, height: 3)
            $0.cache.queryOriginal = []
        }
        view.easel.setImage(
            with: request, placeholder: .image(try .solid(1)), options: .previousCachedImage,
            manager: images.manager)
        #expect(view.image?.cgImage?.width == 8)
        images.open(7)
        await until { view.image?.cgImage?.width == 4 }
        #expect(!view.history.contains(1))
    }

    @Test("P018, X198: an image in memory is shown before the call returns, without a placeholder")
    func memory() async {
        let images = Images()
        await images.inMemory(7)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        #expect(view.history == [7])
    }

    @Test("X193: the highlighted image has a separate load")
    func highlighted() async {
        let images = Images(holding: 7)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        view.easel.setImage(with: images.url(8), in: .highlighted, manager: images.manager)
        await until { view.highlightedImage != nil }
        #expect(view.highlightedImage?.number == 8)
        #expect(view.image == nil)
        images.open(7)
        await until { view.image != nil }
        #expect(view.image?.number == 7)
    }

    @Test("S017, S041, S042: animation images play in the order of their URLs, whichever loads first")
    func animationImages() async {
        let images = Images(holding: 1)
        view.easel.setAnimationImages(
            with: [images.url(1), images.url(2), images.url(3)], manager: images.manager)
        await mainTurns()
        #expect(!view.isAnimating)
        images.open(1)
        await until { view.isAnimating }
        #expect(view.animationImages?.map(\.number) == [1, 2, 3])
    }

    @Test("S017: cancelled animation images are not shown")
    func cancelledAnimation() async {
        let images = Images(holding: 1)
        var hasEnded = false
        view.easel.setAnimationImages(with: [images.url(1)], manager: images.manager) { _ in hasEnded = true }
        view.easel.cancelAnimationImages()
        await until { hasEnded }
        #expect(view.animationImages == nil)
    }

    @Test("S027, S028, X197: a load does not retain its view, and ends without a completion when it is released")
    func released() async {
        let images = Images(holding: 7)
        weak var weakView: UIImageView?
        var task: ImageTask?
        var hasEnded = false
        do {
            let view = UIImageView(frame: .zero)
            weakView = view
            task = view.easel.setImage(with: images.url(7), manager: images.manager) { _ in hasEnded = true }
        }
        #expect(weakView == nil)
        await until { task?.isCancelled == true }
        images.open(7)
        await mainTurns()
        #expect(!hasEnded)
    }

    @Test("S030: the view is laid out again when the image is set")
    func layout() async {
        let images = Images()
        view.easel.setImage(with: images.url(7), manager: images.manager)
        let before = view.layoutRequests
        await until { view.image != nil }
        #expect(view.layoutRequests > before)
    }

    @Test("S018, S021, S043: any view can show images through a setter")
    func setter() async {
        let images = Images()
        let view = UIView(frame: .zero)
        var set: [Int?] = []
        view.easel.setImage(
            with: images.url(7), manager: images.manager,
            setter: { set.append($0.flatMap { UIImage($0) }?.number) })
        await until { set.count == 2 }
        #expect(set == [nil, 7])
    }

    @Test("S013: the short form loads with the shared manager of views")
    func shortForm() async {
        let images = Images()
        let before = ViewTarget.manager
        ViewTarget.manager = images.manager
        defer { ViewTarget.manager = before }
        view.easel.setImage(with: images.url(7))
        await until { view.image != nil }
        #expect(view.image?.number == 7)
    }
}
