#if GTK
import CGTK
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    /// GLib's main loop runs the main actor and the timers of animations.
    @Suite("Main loop") @MainActor
    struct Loop {
        @Test("the main actor runs on GTK's thread")
        func mainActor() async {
            MainLoop.attach()
            MainLoop.attach()
            await Task.detached { await MainActor.run { #expect(easel_is_first_thread() != 0) } }.value
            #expect(easel_is_first_thread() != 0)
        }

        @Test("timers fire once and in order")
        func timerOrder() async {
            let clock = GLibAnimationClock()
            var rings: [Int] = []
            await withCheckedContinuation { continuation in
                _ = clock.schedule(after: .milliseconds(20)) {
                    rings.append(2)
                    continuation.resume()
                }
                _ = clock.schedule(after: .zero) { rings.append(1) }
            }
            #expect(rings == [1, 2])
        }

        @Test("a cancelled timer does not fire")
        func cancelledTimer() async {
            let clock = GLibAnimationClock()
            var rings: [Int] = []
            let cancel = clock.schedule(after: .zero) { rings.append(1) }
            cancel()
            // Runs after the cancelled timer would have run.
            await withCheckedContinuation { continuation in
                _ = clock.schedule(after: .milliseconds(2)) { continuation.resume() }
            }
            cancel()
            #expect(rings.isEmpty)
        }

        @Test("the animation clock is monotonic")
        func monotonicClock() {
            let clock = GLibAnimationClock()
            let first = clock.now
            #expect(clock.now >= first)
        }
    }

    /// The pixels are read back from the screen.
    @Suite("Loading indicators") @MainActor
    struct Indicators {
        @Test("a spinner turns in the middle of the view during a load")
        func spinnerDuringLoad() async throws {
            let (view, time) = (try ViewFixture(), StoppedTime())
            await view.window.present()
            view.image.easel.placeholderColor = AdaptiveColor(.black)
            view.image.easel.indicator = .spinner
            let gate = Gate()
            let url = view.serve("red.png", .red, gate: gate)
            let load = Task { await view.load(url) }
            await view.waitForRequest()
            await view.window.frame()
            // The ring has a diameter of 0.4 of the view: its top is lit at the start of a turn, its middle never.
            let drawn = try view.window.pixels(of: view.image)
            #expect(drawn[33, 21] != drawn[32, 32])
            #expect(drawn[32, 32] == Pixel(blue: 0, green: 0, red: 0, alpha: 255))
            time.advance(by: .milliseconds(500))
            await view.window.frame()
            let later = try view.window.pixels(of: view.image)
            #expect(later[33, 21] != drawn[33, 21])
            gate.open()
            _ = await load.value
            #expect(try await view.window.middle(of: view.image) == .red)
        }
    }
}
#endif
