#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

/// Drawing without a display.
@Suite("Drawing")
struct DrawingTests {
    @Test(
        "the content fit determines the rectangle of an image",
        arguments: [
            (ContentFit.fill, Rectangle(x: 0, y: 0, size: Extent(width: 100, height: 50))),
            (.contain, Rectangle(x: 25, y: 0, size: Extent(width: 50, height: 50))),
            (.cover, Rectangle(x: 0, y: -25, size: Extent(width: 100, height: 100))),
            (.scaleDown, Rectangle(x: 40, y: 15, size: Extent(width: 20, height: 20))),
        ]
    )
    func contentFit(_ fit: ContentFit, _ rectangle: Rectangle) {
        #expect(fit.rectangle(of: Extent(width: 20, height: 20), in: Extent(width: 100, height: 50)) == rectangle)
    }

    @Test("`scaleDown` scales a large image down")
    func scaledDown() {
        let rectangle = ContentFit.scaleDown.rectangle(
            of: Extent(width: 200, height: 200), in: Extent(width: 100, height: 50))
        #expect(rectangle == Rectangle(x: 25, y: 0, size: Extent(width: 50, height: 50)))
    }

    @Test(
        "the most specific state of a widget determines its image",
        arguments: [
            (GtkStateFlags(rawValue: 0), ImageSlot.image), (GTK_STATE_FLAG_PRELIGHT, .image(for: .prelight)),
            (GTK_STATE_FLAG_ACTIVE, .image), (GTK_STATE_FLAG_INSENSITIVE, .image(for: .disabled)),
            (
                GtkStateFlags(rawValue: GTK_STATE_FLAG_INSENSITIVE.rawValue | GTK_STATE_FLAG_PRELIGHT.rawValue),
                .image(for: .disabled)
            ),
        ]
    )
    func widgetStates(_ flags: GtkStateFlags, _ slot: ImageSlot) {
        let slots: Set<ImageSlot> = [.image, .image(for: .prelight), .image(for: .disabled), .background]
        #expect(SlotSelection(flags).foreground(among: slots) == slot)
    }

    @Test("the highlighted image is shown under the pointer, the alternate one when checked")
    func highlightedImage() {
        #expect(SlotSelection(GTK_STATE_FLAG_PRELIGHT).foreground(among: [.image, .highlighted]) == .highlighted)
        #expect(SlotSelection(GtkStateFlags(rawValue: 0)).foreground(among: [.image, .highlighted]) == .image)
        #expect(SlotSelection(GTK_STATE_FLAG_CHECKED).foreground(among: [.image, .alternate]) == .alternate)
    }

    @Test("a background image is not drawn in the foreground")
    func backgroundImage() {
        let active = SlotSelection(GTK_STATE_FLAG_ACTIVE)
        #expect(active.foreground(among: [.background]) == nil)
        #expect(active.background(among: [.background]) == .background)
    }

    @Test("the progress of a transition is between 0 and 1")
    func transitionProgress() throws {
        let run = try #require(TransitionRun(.fade(duration: .seconds(2)), from: nil, at: .seconds(10)))
        #expect(run.progress(at: .seconds(9)) == 0)
        #expect(run.progress(at: .seconds(11)) == 0.5)
        #expect(run.progress(at: .seconds(13)) == 1)
    }

    @Test("a transition without duration does not run")
    func noDuration() {
        #expect(TransitionRun(.fade(duration: .zero), from: nil, at: .zero) == nil)
        #expect(TransitionRun(ImageTransition(.none), from: nil, at: .zero) == nil)
    }

    @Test("an unsupported transition fades instead")
    func unsupportedTransition() {
        #expect(TransitionRun(ImageTransition(.flip(from: .top)), from: nil, at: .zero)?.kind == .fade)
    }

    @Test(
        "a file name that contains words is the accessible label",
        arguments: [
            ("https://a.test/x/red-squirrel_02.jpg?w=100", "red squirrel 02"), ("https://a.test/20260.jpg", nil),
            ("https://a.test/caf%C3%A9.png#top", "café"), ("data:image/png;base64,AAAA", nil), ("https://a.test/", nil),
            ("https://a.test/image", "image"),
        ]
    )
    func fileNameLabel(_ url: String, _ words: String?) {
        #expect(AccessibleLabel.words(of: URL(string: url)) == words)
    }

    @Test("a new image causes a layout only if the view has the image's size", arguments: [(true, 1), (false, 0)])
    @MainActor
    func naturalSize(_ hasNaturalSize: Bool, _ count: Int) throws {
        let painting = Painting()
        painting.hasNaturalSize = { hasNaturalSize }
        var resizes = 0
        painting.didResize = { resizes += 1 }
        let pixels = try TestImage.solid(.red, 3, 2).pixels()
        painting.replace(Layer(DecodedImage(pixels: pixels, metadata: ImageMetadata())))
        #expect(resizes == count)
    }

    @Test("a spinner turns once per second")
    func spinnerTurns() {
        #expect(ProgressDrawing.spinner(at: .milliseconds(250)).from == 0.25)
        #expect(ProgressDrawing.spinner(at: .milliseconds(1_250)).from == 0.25)
    }

    @Test("a ring shows the fraction, at most a full turn")
    func ringFraction() {
        #expect(ProgressDrawing.ring(fraction: 0.5) == ProgressDrawing.Arc(from: 0, to: 0.5))
        #expect(ProgressDrawing.ring(fraction: 7).to == 1)
        #expect(ProgressDrawing.rectangle(in: Extent(width: 10, height: 10)) == nil)
    }
}
#endif
