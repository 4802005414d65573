#if GTK
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

/// Drawing without a display.
@Suite struct DrawingTests {
    @Test(
        arguments: [
            (ContentFit.fill, Rectangle(x: 0, y: 0, size: Extent(width: 100, height: 50))),
            (.contain, Rectangle(x: 25, y: 0, size: Extent(width: 50, height: 50))),
            (.cover, Rectangle(x: 0, y: -25, size: Extent(width: 100, height: 100))),
            (.scaleDown, Rectangle(x: 40, y: 15, size: Extent(width: 20, height: 20))),
        ]
    )
    func aSquareFitsIntoAWideView(_ fit: ContentFit, _ rectangle: Rectangle) {
        #expect(fit.rectangle(of: Extent(width: 20, height: 20), in: Extent(width: 100, height: 50)) == rectangle)
    }

    @Test func aLargeImageIsScaledDown() {
        let rectangle = ContentFit.scaleDown.rectangle(
            of: Extent(width: 200, height: 200), in: Extent(width: 100, height: 50))
        #expect(rectangle == Rectangle(x: 25, y: 0, size: Extent(width: 50, height: 50)))
    }

    @Test(
        arguments: [
            (GtkStateFlags(rawValue: 0), ImageSlot.image), (GTK_STATE_FLAG_PRELIGHT, .image(for: .prelight)),
            (GTK_STATE_FLAG_ACTIVE, .image), (GTK_STATE_FLAG_INSENSITIVE, .image(for: .disabled)),
            (
                GtkStateFlags(rawValue: GTK_STATE_FLAG_INSENSITIVE.rawValue | GTK_STATE_FLAG_PRELIGHT.rawValue),
                .image(for: .disabled)
            ),
        ]
    )
    func theStateThatSaysMostDecidesWhatIsShown(_ flags: GtkStateFlags, _ slot: ImageSlot) {
        let slots: Set<ImageSlot> = [.image, .image(for: .prelight), .image(for: .disabled), .background]
        #expect(SlotSelection(flags).foreground(among: slots) == slot)
    }

    @Test func theHighlightedImageIsShownUnderThePointer() {
        #expect(SlotSelection(GTK_STATE_FLAG_PRELIGHT).foreground(among: [.image, .highlighted]) == .highlighted)
        #expect(SlotSelection(GtkStateFlags(rawValue: 0)).foreground(among: [.image, .highlighted]) == .image)
        #expect(SlotSelection(GTK_STATE_FLAG_CHECKED).foreground(among: [.image, .alternate]) == .alternate)
    }

    @Test func theBackgroundIsNotTheForeground() {
        let shown = SlotSelection(GTK_STATE_FLAG_ACTIVE)
        #expect(shown.foreground(among: [.background]) == nil)
        #expect(shown.background(among: [.background]) == .background)
    }

    @Test func aTransitionIsOverAtItsEnd() throws {
        let run = try #require(TransitionRun(.fade(duration: .seconds(2)), from: nil, at: .seconds(10)))
        #expect(run.progress(at: .seconds(9)) == 0)
        #expect(run.progress(at: .seconds(11)) == 0.5)
        #expect(run.progress(at: .seconds(13)) == 1)
    }

    @Test func aTransitionWithoutDurationIsNone() {
        #expect(TransitionRun(.fade(duration: .zero), from: nil, at: .zero) == nil)
        #expect(TransitionRun(ImageTransition(.none), from: nil, at: .zero) == nil)
    }

    @Test func unsupportedTransitionsFade() {
        #expect(TransitionRun(ImageTransition(.flip(from: .top)), from: nil, at: .zero)?.kind == .fade)
    }

    @Test(
        arguments: [
            ("https://a.test/x/red-squirrel_02.jpg?w=100", "red squirrel 02"), ("https://a.test/20260.jpg", nil),
            ("https://a.test/caf%C3%A9.png#top", "café"), ("data:image/png;base64,AAAA", nil), ("https://a.test/", nil),
            ("https://a.test/image", "image"),
        ]
    )
    func aFileNameWithWordsIsTheLabel(_ url: String, _ words: String?) {
        #expect(AccessibleLabel.words(of: URL(string: url)) == words)
    }

    @Test(arguments: [(true, 1), (false, 0)]) @MainActor
    func onlyAViewThatTakesTheImagesSizeIsLaidOutForIt(_ hasNaturalSize: Bool, _ count: Int) throws {
        let painting = Painting()
        painting.hasNaturalSize = { hasNaturalSize }
        var resizes = 0
        painting.didResize = { resizes += 1 }
        painting.show(Layer(DecodedImage(pixels: try TestImage.solid(.red, 3, 2).pixels(), metadata: ImageMetadata())))
        #expect(resizes == count)
    }

    @Test func aSpinnerTurnsOncePerSecond() {
        #expect(ProgressDrawing.spinner(at: .milliseconds(250)).from == 0.25)
        #expect(ProgressDrawing.spinner(at: .milliseconds(1_250)).from == 0.25)
    }

    @Test func aRingShowsTheFraction() {
        #expect(ProgressDrawing.ring(fraction: 0.5) == ProgressDrawing.Arc(from: 0, to: 0.5))
        #expect(ProgressDrawing.ring(fraction: 7).to == 1)
        #expect(ProgressDrawing.rectangle(in: Extent(width: 10, height: 10)) == nil)
    }
}
#endif
