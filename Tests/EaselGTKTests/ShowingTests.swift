#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    /// The pixels are read back from the screen.
    @Suite("Stages of a load (S022 to S034)") @MainActor
    struct Showing {
        @Test("the loaded image is shown")
        func showsImage() async throws {
            let view = try ViewFixture()
            await view.window.present()
            await view.load(view.serve("red.png", .red))
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        @Test("the placeholder is shown until the image is loaded")
        func placeholderDuringLoad() async throws {
            let view = try ViewFixture()
            let gate = Gate()
            let url = view.serve("red.png", .red, gate: gate)
            await view.window.present()
            let load = Task { await view.load(url, placeholder: .color(ImageColor(0x0000FF))) }
            await view.waitForRequest()
            #expect(try await view.window.middle(of: view.image) == .blue)
            gate.open()
            _ = await load.value
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        @Test("the error placeholder is shown after a failure")
        func errorPlaceholderAfterFailure() async throws {
            let view = try ViewFixture()
            await view.window.present()
            let outcome = await view.load(
                ViewFixture.url("none.png"), placeholder: .color(ImageColor(0x0000FF)),
                errorPlaceholder: .color(ImageColor(0xFF0000)))
            #expect(throws: ImageError.self) { try outcome.get() }
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        @Test("without a URL, the placeholder is shown and the completion receives an error (S026)")
        func withoutURL() async throws {
            let view = try ViewFixture()
            await view.window.present()
            let outcome = await view.load(nil, placeholder: .color(ImageColor(0x00FF00)))
            #expect(throws: ImageError.self) { try outcome.get() }
            #expect(try await view.window.middle(of: view.image) == .green)
        }

        /// A cell that showed the placeholder first would flicker.
        @Test("an image in memory is shown before the call returns (S047)")
        func memoryHit() async throws {
            let view = try ViewFixture()
            await view.window.present()
            let url = view.serve("red.png", .red)
            await view.load(url)
            view.image.easel.setImage(with: ViewFixture.url("other.png"), manager: view.manager)
            var isComplete = false
            view.image.easel.setImage(with: url, manager: view.manager) { _ in isComplete = true }
            #expect(isComplete)
            #expect(try await view.window.middle(of: view.image) == .red)
        }

        /// The image's rows are padded to multiples of 64 bytes in memory, those of the screen are not.
        @Test("every pixel is drawn at its position")
        func pixelPositions() async throws {
            let view = try ViewFixture(width: 37, height: 23)
            await view.window.present()
            let image = TestImage.gradient(37, 23)
            view.image.easel.setImage(try image.image())
            await view.window.frame()
            let drawn = try view.window.pixels(of: view.image)
            #expect(drawn.difference(from: try image.pixels()) <= .tolerance(1))
        }

        @Test("an image is drawn as the same texture each time, so that it is uploaded once")
        func sameTexture() throws {
            try TestWindow.prepare()
            let pixels = DrawnPixels(try TestImage.solid(.red, 3, 2).pixels())
            func drawnTexture() throws -> OpaquePointer {
                let snapshot = try #require(gtk_snapshot_new())
                pixels.draw(snapshot, in: Rectangle(size: Extent(width: 3, height: 2)))
                let node = try #require(gtk_snapshot_free_to_node(snapshot))
                defer { gsk_render_node_unref(node) }
                return try #require(gsk_texture_node_get_texture(node))
            }
            #expect(try drawnTexture() == drawnTexture())
        }

        @Test("translucent pixels are drawn with alpha")
        func translucentPixels() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.placeholderColor = AdaptiveColor(.white)
            let half = Pixel(blue: 0, green: 0, red: 128, alpha: 128)
            view.image.easel.setImage(try TestImage.solid(half, 64, 64).image())
            #expect(try await view.window.middle(of: view.image) == half)
        }

        @Test("clearing the view shows the placeholder colour")
        func clearing() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.placeholderColor = AdaptiveColor(ImageColor(0x0000FF))
            view.image.easel.setImage(try TestImage.solid(.red, 64, 64).image())
            #expect(try await view.window.middle(of: view.image) == .red)
            view.image.easel.clear()
            #expect(try await view.window.middle(of: view.image) == .blue)
        }

        @Test(
            "the content fit determines the position of the image",
            arguments: [
                (ContentFit.contain, Pixel.clear, Pixel.red), (.cover, .red, .red), (.fill, .red, .red),
            ]
        )
        func contentFitPosition(_ fit: ContentFit, _ corner: Pixel, _ middle: Pixel) async throws {
            let view = try ViewFixture(width: 64, height: 32)
            await view.window.present()
            view.image.easel.contentFit = fit
            view.image.easel.setImage(try TestImage.solid(.red, 32, 32).image())
            await view.window.frame()
            let drawn = try view.window.pixels(of: view.image)
            #expect(drawn[1, 1] == corner)
            #expect(drawn[32, 16] == middle)
        }

        @Test("the content fit is that of the GtkPicture")
        func gtkPictureContentFit() async throws {
            let view = try ViewFixture(width: 64, height: 32)
            await view.window.present()
            view.image.easel.setImage(try TestImage.solid(.red, 32, 32).image())
            gtk_picture_set_content_fit(OpaquePointer(view.image), GTK_CONTENT_FIT_COVER)
            await view.window.frame()
            #expect(try view.window.pixels(of: view.image)[1, 1] == .red)
            #expect(view.image.easel.contentFit == .cover)
        }
    }
}
#endif
