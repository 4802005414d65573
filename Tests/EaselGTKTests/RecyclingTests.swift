#if GTK
import CGTK
@testable import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    /// Views that are reused or destroyed during a load.
    @Suite("Reused and destroyed views (S023, S028, R020)") @MainActor
    struct Recycling {
        /// Repeats a hundred times, with the responses for an old and a new image in an order that a seed determines,
        /// before or after the new image is set.
        @Test("a reused cell shows the new image in any order of the responses (S023)")
        func responseOrder() async throws {
            var random = SeededGenerator(seed: 20_260)
            let view = try ViewFixture(width: 16, height: 16)
            await view.window.present()
            for round in 0..<100 {
                let (slow, fast) = (Gate(), Gate())
                let colors: [Pixel] = [.red, .green, .blue]
                let color = colors[round % 3]
                let old = view.serve("old-\(round).png", colors[(round + 1) % 3], width: 16, height: 16, gate: slow)
                let new = view.serve("new-\(round).png", color, width: 16, height: 16, gate: fast)
                view.image.easel.setImage(with: old, manager: view.manager)
                if Bool.random(using: &random) { await view.waitForRequest(2 * round + 1) }
                if Bool.random(using: &random) { slow.open() }
                let isFastFirst = Bool.random(using: &random)
                if isFastFirst { fast.open() }
                let load = Task { await view.load(new) }
                if !isFastFirst {
                    slow.open()
                    for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
                    fast.open()
                }
                _ = try await load.value.get()
                slow.open()
                #expect(try await view.window.middle(of: view.image) == color, "round \(round)")
                // Only for `waitForRequest`: an early cancelled load sends no request.
                while view.transport.requests.count < 2 * round + 2 {
                    _ = try? await view.transport.send(HTTPRequest(url: "http://images.test/none"))
                }
            }
        }

        @Test("a destroyed view cancels its load (S028)")
        func destroyedView() async throws {
            let view = try ViewFixture()
            let url = view.serve("red.png", .red, gate: Gate())
            await view.window.present()
            weak var target: WidgetTarget?
            var isCompleted = false
            view.image.easel.setImage(with: url, manager: view.manager) { _ in isCompleted = true }
            target = WidgetTarget.existing(of: view.image)
            await view.waitForRequest()
            #expect(target != nil)
            view.window.close()
            #expect(target == nil)
            await view.transport.wait { $0.allSatisfy { $0.ending == .dropped } }
            #expect(!view.manager.isRunning)
            #expect(!isCompleted)
        }

        @Test("closing a window releases all state and pixels", .timeLimit(.minutes(1)))
        func closedWindow() async throws {
            let view = try ViewFixture()
            await view.window.present()
            weak var target: WidgetTarget?
            weak var painting: Painting?
            let pixels = try makePixelReader(in: view)
            await view.window.frame()
            target = WidgetTarget.existing(of: view.image)
            painting = target?.painting
            #expect(target != nil && painting != nil && pixels() != nil)
            view.window.close()
            // A renderer may keep its last frame until GTK is idle.
            try await until { target == nil && painting == nil && pixels() == nil }
        }

        @Test("a paintable outlives its view while it is referenced", .timeLimit(.minutes(1)))
        func referencedPaintable() async throws {
            let view = try ViewFixture()
            await view.window.present()
            let pixels = try makePixelReader(in: view)
            let paintable = view.image.easel.paintable
            g_object_ref(UnsafeMutableRawPointer(paintable))
            view.window.close()
            #expect(pixels() != nil)
            g_object_unref(UnsafeMutableRawPointer(paintable))
            try await until { pixels() == nil }
        }

        /// Shows an image to which only the view has a reference. It is larger than the icons that GTK keeps in OpenGL
        /// for sixty frames.
        private func makePixelReader(in view: ViewFixture) throws -> @Sendable () -> PixelBuffer? {
            var pixels = try TestImage.solid(.red, 200, 200).pixels()
            view.image.easel.setImage(DecodedImage(pixels: pixels, metadata: ImageMetadata()))
            let reference = pixels.weakReference()
            return try #require(reference)
        }
    }
}
#endif
