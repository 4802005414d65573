import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Animation: required frames")
struct FramePlacementTests {
    private let canvas = PixelSize(4, 4)

    @Test("composition starts at a frame that hides the canvas")
    func keyFrame() {
        let frames = [whole(), part(), whole(), part(), part()]
        #expect((0..<5).map { frames.firstRequiredFrame(for: $0, on: canvas) } == [0, 0, 2, 2, 2])
    }

    @Test("a transparent frame does not hide the canvas")
    func transparent() {
        let frames = [whole(), whole(isOpaque: false), part()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 0)
    }

    @Test("a frame that replaces the canvas hides it, transparent or not")
    func replacing() {
        let frames = [whole(), whole(hidesCanvas: true, isOpaque: false), part()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 1)
    }

    @Test("a frame with disposal to previous hides nothing from later ones")
    func restored() {
        let frames = [whole(), whole(disposal: .restore), part()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 0)
        #expect(frames.firstRequiredFrame(for: 1, on: canvas) == 1)
    }

    @Test("frames before a cleared canvas are not needed")
    func cleared() {
        let frames = [whole(), whole(disposal: .clear, isOpaque: false), part(), part()]
        #expect(frames.firstRequiredFrame(for: 3, on: canvas) == 2)
    }

    @Test("opaque frames on a covered canvas are never transparent")
    func opaque() {
        #expect(![whole(), part(), part(disposal: .restore)].canBeTransparent(on: canvas))
        #expect(![whole(disposal: .clear)].canBeTransparent(on: canvas))
    }

    @Test("the canvas can be transparent in every other case")
    func transparentCanvas() {
        #expect([part()].canBeTransparent(on: canvas))
        #expect([whole(isOpaque: false)].canBeTransparent(on: canvas))
        #expect([whole(disposal: .restore), part()].canBeTransparent(on: canvas))
        #expect([whole(), part(disposal: .clear), part()].canBeTransparent(on: canvas))
        #expect([whole(), whole(hidesCanvas: true, isOpaque: false)].canBeTransparent(on: canvas))
    }

    @Test("disposal clears or restores the canvas")
    func disposal() throws {
        let colors: [UInt32] = [0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004]
        let frames = [whole(), part(disposal: .restore), part(disposal: .clear), part(x: 2)]
        let shown = try (0..<4).map { last in
            try FrameCompositor(
                Fills(placements: frames, colors: colors, size: canvas), isPartial: false, isUsedOnce: true,
                DecodeOptions()
            ).frame(last) { false }.pixels
        }
        #expect(shown.map { $0[0, 0].blue } == [1, 2, 3, 0])
        #expect(shown.map { $0[0, 0].alpha } == [255, 255, 255, 0])
        #expect(shown.map { $0[2, 0].blue } == [1, 1, 1, 4])
        #expect(shown.map { $0[3, 3].blue } == [1, 1, 1, 1])
    }

    private struct Fills: FrameSource {
        var placements: [FramePlacement]
        var colors: [UInt32]
        var size: PixelSize

        var header: ImageHeader {
            ImageHeader(format: .gif, storedSize: size, frameCount: placements.count, hasAlpha: true)
        }

        func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
            canvas.fill(placements[frame].rectangle, with: colors[frame])
            return true
        }
    }

    private func whole(
        disposal: FramePlacement.Disposal = .keep, hidesCanvas: Bool? = nil, isOpaque: Bool = true
    ) -> FramePlacement {
        FramePlacement(
            rectangle: .whole(canvas), disposal: disposal, hidesCanvas: hidesCanvas ?? isOpaque, isOpaque: isOpaque)
    }

    private func part(x: Int = 0, disposal: FramePlacement.Disposal = .keep) -> FramePlacement {
        FramePlacement(
            rectangle: PixelRectangle(x: x, y: 0, size: PixelSize(2, 2)), disposal: disposal, hidesCanvas: true,
            isOpaque: true)
    }
}
