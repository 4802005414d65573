import EaselViews
import EaselUIKit
import Testing
import UIKit

@Suite("AnimatedImageView", .timeLimit(.minutes(1)))
@MainActor
struct AnimatedImageViewTests {
    private let view = AnimatedImageView(frame: .zero)
    private let window = UIWindow(frame: .zero)
    private let clock = TestAnimationClock()

    init() {
        view.imagePlayer = ImagePlayer(ticker: AnimationTicker(clock, interval: .zero), frameStore: FrameStore()) {
            [weak view] in view?.image = UIImage($0)
        }
    }

    @Test("X175, X193: an animation plays while the view is in a window")
    func plays() async throws {
        view.easel.show(try .moving(1, 2), in: .image)
        #expect(view.image?.number == 1)
        await mainTurns()
        #expect(!clock.isAwaited)
        view.move(to: window)
        await until { clock.isAwaited }
        clock.advance(by: .milliseconds(100))
        await until { view.image?.number == 2 }
        view.move(to: nil)
        #expect(!clock.isAwaited)
    }

    @Test("an animation without autoplay waits for its player")
    func waits() async throws {
        view.imagePlayer.plays = false
        view.move(to: window)
        view.easel.show(try .moving(1, 2), in: .image)
        #expect(view.player?.isPlaying == false)
        view.player?.play()
        await until { clock.isAwaited }
    }

    @Test("a still image has no player")
    func still() throws {
        view.easel.show(try .moving(1, 2), in: .image)
        #expect(view.player != nil)
        view.easel.show(try .solid(9), in: .image)
        #expect(view.player == nil)
    }

    @Test("loads have a low priority while the view is not in a window")
    func priority() {
        let images = Images(holding: 7)
        view.move(to: window)
        let task = view.easel.setImage(with: images.url(7), manager: images.manager)
        view.move(to: nil)
        #expect(task?.priority == .low)
        view.move(to: window)
        #expect(task?.priority == .normal)
    }
}
