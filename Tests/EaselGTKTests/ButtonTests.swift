#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    @Suite("Widgets other than GtkPicture (X193, S043)") @MainActor
    struct OtherWidgets {
        @Test("a button shows the image of its state (X193)")
        func buttonStates() async throws {
            try TestWindow.prepare()
            let button = try #require(gtk_button_new())
            let window = try TestWindow(button)
            defer { window.close() }
            await window.present()
            button.easel.setImage(try TestImage.solid(.red, 32, 32).image())
            button.easel.setImage(try TestImage.solid(.green, 32, 32).image(), in: .image(for: .prelight))
            #expect(try await window.middle(of: button) == .red)
            gtk_widget_set_state_flags(button, GTK_STATE_FLAG_PRELIGHT, 0)
            #expect(try await window.middle(of: button) == .green)
            gtk_widget_unset_state_flags(button, GTK_STATE_FLAG_PRELIGHT)
            #expect(try await window.middle(of: button) == .red)
        }

        @Test("the title of a button is in front of its background image")
        func buttonTitle() async throws {
            try TestWindow.prepare()
            let button = try #require(gtk_button_new_with_label("Open"))
            let window = try TestWindow(button, width: 96, height: 48)
            defer { window.close() }
            let label = try #require(
                gtk_button_get_child(UnsafeMutableRawPointer(button).assumingMemoryBound(to: GtkButton.self)))
            button.easel.setImage(try TestImage.solid(.red, 32, 32).image(), in: .background)
            await window.present()
            #expect(gtk_widget_get_mapped(label) != 0)
            await window.frame()
            let drawn = try window.pixels(of: button)
            #expect(drawn[drawn.width / 2, 10] == .red)
        }

        @Test("a GtkImage shows the image")
        func gtkImage() async throws {
            let view = try ViewFixture()
            let image = try #require(gtk_image_new())
            gtk_image_set_pixel_size(OpaquePointer(image), 32)
            gtk_window_set_child(view.window.window, image)
            await view.window.present()
            await view.load(view.serve("red.png", .red), in: image)
            #expect(try await view.window.middle(of: image) == .red)
        }

        @Test("any widget can show the image")
        func anyWidget() async throws {
            let view = try ViewFixture()
            let box = try #require(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
            let inner = try #require(gtk_picture_new())
            gtk_widget_set_vexpand(inner, 1)
            gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), inner)
            gtk_window_set_child(view.window.window, box)
            box.easel.display { gtk_picture_set_paintable(OpaquePointer(inner), $0) }
            await view.window.present()
            await view.load(view.serve("red.png", .red), in: box)
            #expect(try await view.window.middle(of: box) == .red)
        }

        @Test("a setter replaces the drawing of the widget (S018, S043)")
        func customSetter() async throws {
            let view = try ViewFixture()
            await view.window.present()
            let url = view.serve("red.png", .red)
            var sizes: [PixelSize?] = []
            await withCheckedContinuation { continuation in
                view.image.easel.setImage(
                    with: url, manager: view.manager, completion: { _ in continuation.resume() },
                    setter: { sizes.append($0?.size) })
            }
            #expect(sizes.last == PixelSize(64, 64))
            #expect(WidgetTarget.of(view.image).painting.layer == nil)
        }

        @Test("an indicator over the image is visible during the load")
        func overlayIndicator() async throws {
            let view = try ViewFixture()
            let overlay = try #require(gtk_overlay_new())
            let original = try #require(gtk_picture_new())
            gtk_overlay_set_child(OpaquePointer(overlay), original)
            gtk_window_set_child(view.window.window, overlay)
            let spinner = try #require(gtk_spinner_new())
            original.easel.indicator = .custom(OverlayIndicator(spinner, over: original))
            await view.window.present()
            #expect(gtk_widget_get_visible(spinner) == 0)
            let gate = Gate()
            let url = view.serve("red.png", .red, gate: gate)
            let load = Task { await view.load(url, in: original) }
            await view.waitForRequest()
            #expect(gtk_widget_get_visible(spinner) != 0)
            gate.open()
            _ = await load.value
            #expect(gtk_widget_get_visible(spinner) == 0)
        }

        @Test("the progress ring shows the fraction")
        func progressRingFraction() throws {
            let view = try ViewFixture()
            let target = WidgetTarget.of(view.image)
            view.image.easel.indicator = .progressRing
            target.indicator?.start()
            target.indicator?.update(fraction: 0.5)
            #expect(target.painting.indication == .ring(fraction: 0.5))
            target.indicator?.stop()
            #expect(target.painting.indication == nil)
        }

        @Test("the accessible label is the file name by default")
        func fileNameLabel() throws {
            let view = try ViewFixture()
            view.image.easel.setImage(with: ViewFixture.url("red-squirrel_02.jpg"), manager: view.manager)
            let text = { gtk_picture_get_alternative_text(OpaquePointer(view.image)).map { String(cString: $0) } }
            #expect(text() == "red squirrel 02")
            view.image.easel.accessibleLabel = "A squirrel"
            #expect(text() == "A squirrel")
        }
    }
}
#endif
