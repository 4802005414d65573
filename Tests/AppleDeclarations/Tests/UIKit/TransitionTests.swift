import EaselViews
import EaselUIKit
import Testing
import UIKit

@Suite("UIKit transitions", .timeLimit(.minutes(1)), .serialized)
@MainActor
struct TransitionTests {
    private let view = UIImageView(frame: .zero)
    private let images = Images()

    init() {
        UIView.transitions = []
        CATransaction.pending = []
    }

    private var transition: UIView.Transition? { UIView.transitions.first { $0.view === view } }

    @Test("S044, X196: an image from a server fades in over half a second")
    func fade() async {
        view.easel.transition = .fade
        view.easel.setImage(with: images.url(7), manager: images.manager)
        await until { transition != nil }
        #expect(transition?.options.contains(.transitionCrossDissolve) == true)
        #expect(transition?.duration == 0.5)
        #expect(view.image?.number == 7)
    }

    @Test("X196: an image from memory has no transition unless it is forced")
    func memory() async {
        await images.inMemory(7)
        view.easel.transition = .fade
        view.easel.setImage(with: images.url(7), manager: images.manager)
        #expect(view.image?.number == 7)
        #expect(transition == nil)
        view.easel.setImage(with: images.url(7), options: .forceTransition, manager: images.manager)
        #expect(transition != nil)
    }

    @Test("X016, R021: a waiting completion is called when the transition has ended")
    func waits() async {
        var hasEnded = false
        view.easel.transition = .fade(duration: .milliseconds(250))
        view.easel.setImage(with: images.url(7), options: .waitTransition, manager: images.manager) { _ in
            hasEnded = true
        }
        await until { transition != nil }
        await mainTurns()
        #expect(!hasEnded)
        transition?.end(true)
        #expect(hasEnded)
    }

    @Test(
        "X196: flips and curls use the transitions of UIKit",
        arguments: [
            (ImageTransition.Kind.flip(from: .leading), UIView.AnimationOptions.transitionFlipFromLeft),
            (.flip(from: .trailing), .transitionFlipFromRight), (.flip(from: .top), .transitionFlipFromTop),
            (.flip(from: .bottom), .transitionFlipFromBottom), (.curl(from: .bottom), .transitionCurlUp),
            (.curl(from: .top), .transitionCurlDown), (.zoom, .transitionCrossDissolve),
        ])
    func kinds(kind: ImageTransition.Kind, options: UIView.AnimationOptions) async {
        view.easel.transition = ImageTransition(kind)
        view.easel.setImage(with: images.url(7), manager: images.manager)
        await until { transition != nil }
        #expect(transition?.options == [options, .allowUserInteraction])
    }

    @Test("a slide uses Core Animation, and ends with its transaction")
    func slide() async throws {
        var hasEnded = false
        view.easel.transition = ImageTransition(.slide(from: .trailing))
        view.easel.setImage(with: images.url(7), options: .waitTransition, manager: images.manager) { _ in
            hasEnded = true
        }
        await until { !view.layer.animations.isEmpty }
        let animation = try #require(view.layer.animations.values.first as? CATransition)
        #expect(animation.type == .moveIn)
        #expect(animation.subtype == .fromRight)
        #expect(!hasEnded)
        for block in CATransaction.pending { block() }
        #expect(hasEnded)
    }

    @Test("X196: a custom transition receives the view")
    func custom() async {
        var received: UIView?
        view.easel.transition = ImageTransition(
            .custom { step in
                received = step.view
                step.target.show(step.image, in: step.slot)
                step.finish()
            })
        view.easel.setImage(with: images.url(7), manager: images.manager)
        await until { received != nil }
        #expect(received === view)
        #expect(view.image?.number == 7)
    }
}
