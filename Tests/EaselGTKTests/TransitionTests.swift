#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    /// The time advances only when the test advances it.
    @Suite("Transitions in a view (S044, X196)") @MainActor
    struct Transitions {
        @Test("a fade mixes both images equally at half time")
        func fadeMiddle() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(.fade(duration: .milliseconds(300)), view)
            time.advance(by: .milliseconds(150))
            let middle = try await view.window.middle(of: view.image)
            #expect(middle.isNear(Pixel(blue: 127, green: 0, red: 127, alpha: 255)))
        }

        @Test("a sliding image starts at its edge")
        func slideStart() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(ImageTransition(.slide(from: .trailing), duration: .seconds(1)), view)
            time.advance(by: .milliseconds(200))
            await view.window.frame()
            let drawn = try view.window.pixels(of: view.image)
            #expect(drawn[2, 32] == .red)
            #expect(drawn[62, 32] == .blue)
        }

        @Test("a zooming image starts in the middle")
        func zoomStart() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(ImageTransition(.zoom, duration: .seconds(1)), view)
            time.advance(by: .milliseconds(200))
            await view.window.frame()
            let drawn = try view.window.pixels(of: view.image)
            #expect(drawn[1, 32] == .red)
            #expect(drawn[32, 32].isNear(Pixel(blue: 51, green: 0, red: 204, alpha: 255), 3))
        }

        @Test("after a transition only the new image is shown, and no frames are requested")
        func finishedTransition() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            var hasFinished = false
            try await begin(.fade(duration: .milliseconds(300)), view) { hasFinished = true }
            #expect(WidgetTarget.of(view.image).isTicking)
            #expect(!hasFinished)
            time.advance(by: .milliseconds(300))
            #expect(try await view.window.middle(of: view.image) == .blue)
            await view.window.frame()
            #expect(hasFinished)
            #expect(!WidgetTarget.of(view.image).isTicking)
        }

        @Test("setting another image ends the transition")
        func interruptedTransition() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            var hasFinished = false
            try await begin(.fade(duration: .milliseconds(300)), view) { hasFinished = true }
            view.image.easel.setImage(try TestImage.solid(.green, 64, 64).image())
            #expect(hasFinished)
            #expect(try await view.window.middle(of: view.image) == .green)
            withExtendedLifetime(time) {}
        }

        @Test("an image that the completion of an interrupted transition shows stays")
        func completionShowsImage() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            let (target, last) = (WidgetTarget.of(view.image), try TestImage.solid(.green, 64, 64).image())
            var finished: [String] = []
            try await begin(.fade(duration: .milliseconds(300)), view) {
                target.show(last, in: .image, with: .fade) { finished.append("last") }
            }
            target.show(try TestImage.solid(.red, 64, 64).image(), in: .image, with: .fade) { finished.append("red") }
            time.advance(by: .seconds(1))
            #expect(try await view.window.middle(of: view.image) == .green)
            await view.window.frame()
            #expect(finished == ["red", "last"])
        }

        @Test("a hidden widget shows the image without a transition")
        func hiddenWidget() async throws {
            let view = try ViewFixture()
            var hasFinished = false
            let target = WidgetTarget.of(view.image)
            target.show(try TestImage.solid(.blue, 8, 8).image(), in: .image, with: .fade) { hasFinished = true }
            #expect(hasFinished)
            #expect(!target.painting.isMoving)
        }

        @Test("images from the network are shown with the transition")
        func networkImage() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            await view.window.present()
            view.image.easel.transition = .fade(duration: .milliseconds(300))
            view.image.easel.placeholderColor = AdaptiveColor(.black)
            await view.load(view.serve("red.png", .red))
            time.advance(by: .milliseconds(150))
            let middle = try await view.window.middle(of: view.image)
            #expect(middle.isNear(Pixel(blue: 0, green: 0, red: 127, alpha: 255)))
        }

        /// Shows red, and starts a transition to blue.
        private func begin(
            _ transition: ImageTransition, _ view: ViewFixture, finish: @escaping @MainActor () -> Void = {}
        ) async throws {
            await view.window.present()
            let target = WidgetTarget.of(view.image)
            target.show(try TestImage.solid(.red, 64, 64).image(), in: .image)
            target.show(try TestImage.solid(.blue, 64, 64).image(), in: .image, with: transition, finish: finish)
        }
    }
}
#endif
