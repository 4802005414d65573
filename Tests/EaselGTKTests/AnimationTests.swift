#if GTK
import CGTK
import EaselCodecs
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    /// The clock advances only when the test advances it.
    @Suite("Animations in a view (S004, X175, B100)") @MainActor
    struct Animations {
        @Test("each frame is shown at its time")
        func frameTimes() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            try await show(view, clock)
            // Red for 100 ms, green for 200 and blue for 100, repeated.
            let course: [(Int, Pixel)] = [(0, .red), (99, .red), (1, .green), (199, .green), (1, .blue), (100, .red)]
            for (step, color) in course {
                clock.advance(by: .milliseconds(step))
                #expect(try await view.window.middle(of: view.image) == color)
            }
        }

        @Test("an animation pauses while its view is hidden (X175)")
        func hiddenView() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            try await show(view, clock)
            clock.advance(by: .milliseconds(100))
            gtk_widget_set_visible(view.image, 0)
            #expect(clock.timerCount == 0)
            clock.advance(by: .milliseconds(200))
            gtk_widget_set_visible(view.image, 1)
            await view.window.frame()
            #expect(try await view.window.middle(of: view.image) == .green)
            #expect(clock.timerCount == 1)
        }

        @Test("without autoplay, the first frame is shown")
        func withoutAutoplay() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            view.image.easel.playsAnimations = false
            try await show(view, clock)
            #expect(clock.timerCount == 0)
            view.image.easel.player?.play()
            clock.advance(by: .milliseconds(100))
            #expect(try await view.window.middle(of: view.image) == .green)
        }

        @Test("setting a still image ends the animation")
        func stillImage() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            try await show(view, clock)
            view.image.easel.setImage(try TestImage.solid(.grey, 8, 8).image())
            #expect(view.image.easel.player == nil)
            #expect(clock.timerCount == 0)
        }

        @Test("setting the same image continues the animation")
        func sameImage() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            let image = try await show(view, clock)
            clock.advance(by: .milliseconds(150))
            view.image.easel.setImage(image)
            #expect(try await view.window.middle(of: view.image) == .green)
            clock.advance(by: .milliseconds(150))
            #expect(try await view.window.middle(of: view.image) == .blue)
        }

        @Test("an arriving animation continues when more data arrives (X175)")
        func arrivingAnimation() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            await view.window.present()
            let file = try Self.file()
            let gate = Gate()
            let url = ViewFixture.url("arriving.gif")
            view.transport.respond(
                url.absoluteString,
                with: .response(
                    headers: ["Content-Type": "image/gif"],
                    body: [.bytes(file.prefix(file.count - 8)), .hold(gate), .bytes(file.suffix(8))]))
            WidgetTarget.of(view.image).playback.ticker = AnimationTicker(clock, interval: .zero)
            var outcome: Result<ImageResponse, ImageError>?
            view.image.easel.setImage(
                with: ImageRequest(url) { $0.options = .progressive }, manager: view.manager
            ) { outcome = $0 }
            while view.image.easel.player == nil { await view.window.frame() }
            let player = try #require(view.image.easel.player)
            #expect(player.animation.isArriving)
            gate.open()
            while outcome == nil { await view.window.frame() }
            #expect(view.image.easel.player === player)
            #expect(!player.animation.isArriving)
        }

        @Test("images of several URLs play in order (S042)")
        func severalURLs() async throws {
            let view = try ViewFixture()
            let clock = SteppedClock()
            await view.window.present()
            WidgetTarget.of(view.image).playback.clock = clock
            let (late, early) = (Gate(), Gate())
            let urls = [view.serve("1.png", .red, gate: late), view.serve("2.png", .green, gate: early)]
            await withCheckedContinuation { continuation in
                view.image.easel.setAnimationImages(with: urls, manager: view.manager) { _ in continuation.resume() }
                early.open()
                late.open()
            }
            #expect(try await view.window.middle(of: view.image) == .red)
            clock.advance(by: Playback.imageDuration)
            #expect(try await view.window.middle(of: view.image) == .green)
            clock.advance(by: Playback.imageDuration)
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        /// Red for 100 ms, green for 200 and blue for 100.
        private static func file() throws -> Data {
            let frames: [(Pixel, Duration)] = [
                (.red, .milliseconds(100)), (.green, .milliseconds(200)), (.blue, .milliseconds(100)),
            ]
            return try GIFCoder().encode(
                AnimationFrames(durations: frames.map(\.1), size: PixelSize(16, 16), loopCount: 0) {
                    (index) throws(ImageError) in
                    try TestImage.solid(frames[index].0, 16, 16).pixels()
                }, EncodeOptions())
        }

        @discardableResult
        private func show(_ view: ViewFixture, _ clock: SteppedClock) async throws -> DecodedImage {
            await view.window.present()
            let url = ViewFixture.url("moving.gif")
            view.transport.respond(url.absoluteString, with: .bytes(try Self.file(), type: "image/gif"))
            let image = try await view.manager.image(for: ImageRequest(url) { $0.options = .preloadAllFrames })
            WidgetTarget.of(view.image).playback.ticker = AnimationTicker(clock, interval: .zero)
            view.image.easel.setImage(image)
            return image
        }
    }
}

/// A clock that changes only when it is advanced, and then runs due timers in order.
final class SteppedClock: AnimationClock {
    private(set) var now = Duration.zero
    private var timers: [Int: (due: Duration, body: @MainActor () -> Void)] = [:]
    private var count = 0

    var timerCount: Int { timers.count }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        count += 1
        let number = count
        timers[number] = (now + delay, body)
        return { [weak self] in self?.timers[number] = nil }
    }

    func advance(by duration: Duration) {
        let end = now + duration
        while let next = timers.min(by: { $0.value.due < $1.value.due }), next.value.due <= end {
            timers[next.key] = nil
            now = next.value.due
            next.value.body()
        }
        now = end
    }
}
#endif
