import EaselViews
import AppKit
import EaselAppKit
import Testing

extension NSImage {
    /// The value of its pixels.
    var number: Int? { cgImage(forProposedRect: nil, context: nil, hints: nil)?.number }
}

@Suite("AppKit views", .timeLimit(.minutes(1)), .serialized)
@MainActor
struct NSViewTests {
    private let view = NSImageView(frame: .zero)
    private let images = Images(holding: 9)

    init() { CATransaction.pending = [] }

    @Test("S023 to S030: the placeholder is shown, then the image, and the view is laid out again")
    func order() async throws {
        view.easel.setImage(with: images.url(7), placeholder: .image(try .solid(1)), manager: images.manager)
        view.needsLayout = false
        await until { view.image?.number == 7 }
        #expect(view.shown.map { $0?.number } == [1, 7])
        #expect(view.needsLayout)
    }

    @Test("S023: the slow old image is never shown")
    func reuse() async {
        let old = view.easel.setImage(with: images.url(9), manager: images.manager)
        view.easel.setImage(with: images.url(8), manager: images.manager)
        #expect(old?.isCancelled == true)
        await until { view.image?.number == 8 }
        images.open(9)
        await mainTurns()
        #expect(view.image?.number == 8)
    }

    @Test("S021, X193: a button has an image and an alternate image")
    func button() async {
        let button = NSButton(frame: .zero)
        button.easel.setImage(with: images.url(7), manager: images.manager)
        button.easel.setImage(with: images.url(8), in: .alternate, manager: images.manager)
        await until { button.image?.number == 7 && button.alternateImage?.number == 8 }
        button.easel.cancelImageLoads()
        #expect(button.easel.imageURL(in: .alternate) == images.url(8))
    }

    @Test("R014: images are decoded to the pixels of the window's screen according to the image scaling")
    func size() {
        let view = NSImageView(frame: NSRect(x: 0, y: 0, width: 2, height: 1))
        view.move(to: NSWindow())
        #expect(view.easel.targetSize(in: .image) == .pixels(PixelSize(4, 2), mode: .aspectFit))
        view.imageScaling = .scaleNone
        #expect(view.easel.targetSize(in: .image) == .original)
    }

    @Test("S044, X196: a transition uses Core Animation, and the completion can wait for its end")
    func transition() async throws {
        var hasEnded = false
        view.easel.transition = .fade
        view.easel.setImage(with: images.url(7), options: .waitTransition, manager: images.manager) { _ in
            hasEnded = true
        }
        await until { view.layer?.animations.isEmpty == false }
        let animation = try #require(view.layer?.animations.values.first as? CATransition)
        #expect(animation.type == .fade)
        #expect(animation.duration == 0.5)
        #expect(view.image?.number == 7)
        #expect(!hasEnded)
        for block in CATransaction.pending { block() }
        #expect(hasEnded)
    }

    @Test("S045, X195: a spinner or a bar is shown while the view loads")
    func indicators() async {
        let spinner = ProgressIndicator()
        view.easel.indicator = spinner
        view.easel.setImage(with: images.url(9), manager: images.manager)
        #expect(spinner.indicator.isAnimating)
        let bar = ProgressIndicator(.bar)
        view.easel.indicator = bar
        #expect(spinner.view.superview == nil)
        #expect(!spinner.indicator.isAnimating)
        #expect(bar.indicator.isAnimating)
        images.open(9)
        await until { view.image != nil }
        #expect(bar.indicator.isHidden)
    }

    @Test("S028, X197: a released view cancels its load without calling the completion")
    func released() async {
        var hasEnded = false
        var task: ImageTask?
        do {
            let view = NSImageView(frame: .zero)
            task = view.easel.setImage(with: images.url(9), manager: images.manager) { _ in hasEnded = true }
        }
        await until { task?.isCancelled == true }
        await mainTurns()
        #expect(!hasEnded)
    }

    @Test("an image has the size in points for its scale, and is converted back with that scale")
    func image() throws {
        var decoded = try DecodedImage.solid(7)
        decoded.scale = 2
        let image = try #require(NSImage(decoded))
        #expect(image.size == NSSize(width: 4, height: 3))
        #expect(try DecodedImage(image).scale == 2)
    }
}
