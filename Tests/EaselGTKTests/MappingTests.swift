#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    /// Loads wait until their view is visible, and have low priority while it is hidden.
    @Suite("Visibility and loads") @MainActor
    struct Mapping {
        @Test("a load starts when the view becomes visible")
        func visibleView() async throws {
            let view = try ViewFixture()
            let url = view.serve("red.png", .red)
            let load = Task { await view.load(url) }
            await Task.yield()
            #expect(view.image.easel.isLoading())
            #expect(view.image.easel.url == url)
            #expect(!view.manager.isRunning)
            await view.window.present()
            _ = try await load.value.get()
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        @Test("with `whenSet`, a load starts immediately, at low priority until the view is visible")
        func immediateStart() async throws {
            let view = try ViewFixture()
            view.image.easel.loadStart = .whenSet
            view.image.easel.setImage(with: view.serve("red.png", .red, gate: Gate()), manager: view.manager)
            let task = try #require(view.image.easel.task())
            #expect(task.priority == .low)
            await view.window.present()
            #expect(task.priority == .normal)
        }

        @Test("a hidden cell is preloaded at low priority once its window is shown")
        func hiddenCell() async throws {
            let view = try ViewFixture()
            let cell = try #require(gtk_picture_new())
            let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            let visible = try #require(gtk_picture_new())
            for image in [visible, cell] {
                gtk_widget_set_size_request(image, 16, 16)
                gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), image)
                image.easel.loadStart = .preload
            }
            let window = try TestWindow(box, width: 32, height: 16)
            defer { window.close() }
            gtk_widget_set_visible(cell, 0)
            let gate = Gate()
            cell.easel.setImage(with: view.serve("red.png", .red, gate: gate), manager: view.manager)
            for _ in 0..<10 { await Task.yield() }
            // In a window that is not shown, nothing is preloaded.
            #expect(cell.easel.task() == nil)
            await window.present()
            await view.waitForRequest()
            #expect(cell.easel.task()?.priority == .low)
            gtk_widget_set_visible(cell, 1)
            #expect(cell.easel.task()?.priority == .normal)
            gate.open()
            while view.manager.isRunning { await window.frame() }
        }

        @Test("nothing is preloaded while eight visible views load")
        func preloadLimit() async throws {
            let view = try ViewFixture()
            view.window.close()
            let box = try #require(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0))
            let window = try TestWindow(box, width: 9 * 16, height: 16)
            defer { window.close() }
            let images = try (0..<9).map { index in
                let image = try #require(gtk_picture_new())
                gtk_widget_set_size_request(image, 16, 16)
                gtk_widget_set_visible(image, index < 8 ? 1 : 0)
                gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), image)
                image.easel.loadStart = .preload
                return image
            }
            let gates = images.map { _ in Gate() }
            for (index, image) in images.enumerated() {
                image.easel.setImage(
                    with: view.serve("\(index).png", .red, gate: gates[index]), manager: view.manager)
            }
            await window.present()
            await window.frame()
            #expect(images.prefix(8).allSatisfy { $0.easel.task() != nil })
            #expect(images[8].easel.task() == nil)
            // Not all eight have sent a request: the others wait for a connection.
            await view.waitForRequest()
            let firstURL = try #require(view.transport.requests.first?.url)
            try #require(
                gates.indices.first { ViewFixture.url("\($0).png").absoluteString == firstURL }.map { gates[$0] }
            )
            .open()
            while images[8].easel.task() == nil { await window.frame() }
            for gate in gates { gate.open() }
            while view.manager.isRunning { await window.frame() }
        }

        @Test("hiding a view lowers the priority of its load")
        func hiddenView() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.setImage(with: view.serve("red.png", .red, gate: Gate()), manager: view.manager)
            await view.waitForRequest()
            let task = try #require(view.image.easel.task())
            #expect(task.priority == .normal)
            gtk_widget_set_visible(view.image, 0)
            #expect(task.priority == .low)
            gtk_widget_set_visible(view.image, 1)
            #expect(task.priority == .normal)
        }

        @Test("a hidden view also shows an image from memory immediately")
        func memoryHit() async throws {
            let view = try ViewFixture()
            let url = view.serve("red.png", .red)
            _ = try await view.manager.image(for: ImageRequest(url) { $0.targetSize = .pixels(width: 16, height: 16) })
            let other = try #require(gtk_picture_new())
            g_object_ref_sink(other)
            defer { g_object_unref(other) }
            var isComplete = false
            other.easel.setImage(
                with: ImageRequest(url) { $0.targetSize = .pixels(width: 16, height: 16) }, manager: view.manager
            ) { _ in isComplete = true }
            #expect(isComplete)
        }

        @Test("a cancelled load that waits for its view never starts")
        func cancelledWait() async throws {
            let view = try ViewFixture()
            view.image.easel.setImage(with: view.serve("red.png", .red), manager: view.manager)
            view.image.easel.cancelImageLoad()
            await view.window.present()
            #expect(!view.image.easel.isLoading())
            #expect(view.transport.requests.isEmpty)
        }

        @Test("a waiting load is cancelled when another image is set")
        func supersededWait() async throws {
            let view = try ViewFixture()
            let first = await withCheckedContinuation { continuation in
                view.image.easel.setImage(with: view.serve("1.png", .red), manager: view.manager) {
                    continuation.resume(returning: $0)
                }
                view.image.easel.setImage(with: view.serve("2.png", .green), manager: view.manager)
            }
            #expect(throws: ImageError.cancelled) { try first.get() }
            await view.window.present()
            while view.image.easel.isLoading() { await view.window.frame() }
            #expect(view.transport.requests.map(\.url) == [ViewFixture.url("2.png").absoluteString])
            #expect(try await view.window.middle(of: view.image) == .green)
        }

        @Test("images are decoded at the size of the view")
        func decodesAtViewSize() async throws {
            let view = try ViewFixture(width: 40, height: 30)
            await view.window.present()
            let response = try await view.load(view.serve("large.png", .red, width: 400, height: 400)).get()
            let scale = GTKTests.isHiDPI ? 2 : 1
            // The whole image is shown by default, so the smaller side determines the scale.
            #expect(response.image.size == PixelSize(30 * scale, 30 * scale))
            #expect(WidgetTarget.of(view.image).painting.layer?.pixels.size == response.image.size)
        }

        @Test("a view that grows gets more pixels")
        func growingView() async throws {
            let view = try ViewFixture(width: 40, height: 40)
            await view.window.present()
            await view.load(view.serve("large.png", .red, width: 400, height: 400))
            let target = WidgetTarget.of(view.image)
            let scale = GTKTests.isHiDPI ? 2 : 1
            #expect(target.painting.layer?.pixels.size == PixelSize(40 * scale, 40 * scale))
            gtk_widget_set_size_request(view.image, 100, 100)
            while target.painting.layer?.pixels.size != PixelSize(100 * scale, 100 * scale) {
                await view.window.frame()
            }
            // The pixels come from memory or from the loaded file, without a second request.
            #expect(view.image.easel.url == ViewFixture.url("large.png"))
        }

        /// A view without a size requests the size of the image, not that of the decoded pixels.
        @Test("a view requests the natural size of the image")
        func naturalSize() async throws {
            let view = try ViewFixture(width: 40, height: 40)
            await view.window.present()
            await view.load(view.serve("large.png", .red, width: 400, height: 300))
            var (least, natural) = (gint(0), gint(0))
            gtk_widget_measure(view.image, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, nil, nil)
            #expect(least == 0)
            #expect(natural == 400)
            gtk_widget_set_size_request(view.image, 50, 50)
            gtk_widget_measure(view.image, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, nil, nil)
            #expect(natural == 50)
        }

        @Test("a window without motion requests no frames")
        func stillWindow() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.indicator = .spinner
            let gate = Gate()
            let url = view.serve("red.png", .red, gate: gate)
            let load = Task { await view.load(url) }
            await view.waitForRequest()
            #expect(WidgetTarget.of(view.image).isTicking)
            gate.open()
            _ = await load.value
            await view.window.frame()
            await view.window.frame()
            #expect(!WidgetTarget.of(view.image).isTicking)
        }

        @Test("nothing animates in a hidden view")
        func hiddenIndicator() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.indicator = .spinner
            view.image.easel.setImage(with: view.serve("red.png", .red, gate: Gate()), manager: view.manager)
            #expect(WidgetTarget.of(view.image).isTicking)
            gtk_widget_set_visible(view.image, 0)
            #expect(!WidgetTarget.of(view.image).isTicking)
            gtk_widget_set_visible(view.image, 1)
            #expect(WidgetTarget.of(view.image).isTicking)
        }
    }
}
#endif
