#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    /// Running transitions (S044, X196), with a clock that the test advances.
    @Suite @MainActor
    struct Transitions {
        @Test func aFadeAtHalfTimeIsAnEqualMix() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(.fade(duration: .milliseconds(300)), view)
            time.advance(by: .milliseconds(150))
            let middle = try await view.window.middle(of: view.image)
            #expect(middle.isNear(Pixel(blue: 127, green: 0, red: 127, alpha: 255)))
        }

        @Test func aSlidingImageStartsAtItsEdge() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(ImageTransition(.slide(from: .trailing), duration: .seconds(1)), view)
            time.advance(by: .milliseconds(200))
            await view.window.frame()
            let seen = try view.window.pixels(of: view.image)
            #expect(seen[2, 32] == .red)
            #expect(seen[62, 32] == .blue)
        }

        @Test func aZoomingImageStartsInTheMiddle() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            try await begin(ImageTransition(.zoom, duration: .seconds(1)), view)
            time.advance(by: .milliseconds(200))
            await view.window.frame()
            let seen = try view.window.pixels(of: view.image)
            #expect(seen[1, 32] == .red)
            #expect(seen[32, 32].isNear(Pixel(blue: 51, green: 0, red: 204, alpha: 255), 3))
        }

        @Test func aFinishedTransitionShowsOnlyTheImageAndRequestsNoFrame() async throws {
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

        @Test func anotherImageEndsTheTransition() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            var hasFinished = false
            try await begin(.fade(duration: .milliseconds(300)), view) { hasFinished = true }
            view.image.easel.setImage(try TestImage.solid(.green, 64, 64).image())
            #expect(hasFinished)
            #expect(try await view.window.middle(of: view.image) == .green)
            withExtendedLifetime(time) {}
        }

        @Test func aHiddenWidgetShowsTheImageWithoutTransition() async throws {
            let view = try ViewFixture()
            var hasFinished = false
            let target = WidgetTarget.of(view.image)
            target.show(try TestImage.solid(.blue, 8, 8).image(), in: .image, with: .fade) { hasFinished = true }
            #expect(hasFinished)
            #expect(!target.painting.isMoving)
        }

        @Test func imagesFromTheServerHaveTheTransition() async throws {
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
