import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Animation: required frames")
struct FramePlacementTests {
    private let canvas = PixelSize(4, 4)

    @Test("composition starts at a frame that hides the canvas")
    func keyFrame() {
        let frames = [wholeFrame(), partialFrame(), wholeFrame(), partialFrame(), partialFrame()]
        #expect((0..<5).map { frames.firstRequiredFrame(for: $0, on: canvas) } == [0, 0, 2, 2, 2])
    }

    @Test("a transparent frame does not hide the canvas")
    func transparent() {
        let frames = [wholeFrame(), wholeFrame(isOpaque: false), partialFrame()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 0)
    }

    @Test("a frame that replaces the canvas hides it, transparent or not")
    func replacing() {
        let frames = [wholeFrame(), wholeFrame(hidesCanvas: true, isOpaque: false), partialFrame()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 1)
    }

    @Test("a frame with disposal to previous hides nothing from later ones")
    func restored() {
        let frames = [wholeFrame(), wholeFrame(disposal: .restore), partialFrame()]
        #expect(frames.firstRequiredFrame(for: 2, on: canvas) == 0)
        #expect(frames.firstRequiredFrame(for: 1, on: canvas) == 1)
    }

    @Test("frames before a cleared canvas are not needed")
    func cleared() {
        let frames = [wholeFrame(), wholeFrame(disposal: .clear, isOpaque: false), partialFrame(), partialFrame()]
        #expect(frames.firstRequiredFrame(for: 3, on: canvas) == 2)
    }

    @Test("opaque frames on a covered canvas are never transparent")
    func opaque() {
        #expect(![wholeFrame(), partialFrame(), partialFrame(disposal: .restore)].canBeTransparent(on: canvas))
        #expect(![wholeFrame(disposal: .clear)].canBeTransparent(on: canvas))
    }

    @Test("the canvas can be transparent in every other case")
    func transparentCanvas() {
        #expect([partialFrame()].canBeTransparent(on: canvas))
        #expect([wholeFrame(isOpaque: false)].canBeTransparent(on: canvas))
        #expect([wholeFrame(disposal: .restore), partialFrame()].canBeTransparent(on: canvas))
        #expect([wholeFrame(), partialFrame(disposal: .clear), partialFrame()].canBeTransparent(on: canvas))
        #expect([wholeFrame(), wholeFrame(hidesCanvas: true, isOpaque: false)].canBeTransparent(on: canvas))
    }

    @Test("disposal clears or restores the canvas")
    func disposal() throws {
        let colors: [UInt32] = [0xFF00_0001, 0xFF00_0002, 0xFF00_0003, 0xFF00_0004]
        let frames = [
            wholeFrame(), partialFrame(disposal: .restore), partialFrame(disposal: .clear), partialFrame(x: 2),
        ]
        let pixels = try (0..<4).map { last in
            try FrameCompositor(
                Fills(placements: frames, colors: colors, size: canvas), isPartial: false, isUsedOnce: true,
                DecodeOptions()
            ).frame(last) { false }.pixels
        }
        #expect(pixels.map { $0[0, 0].blue } == [1, 2, 3, 0])
        #expect(pixels.map { $0[0, 0].alpha } == [255, 255, 255, 0])
        #expect(pixels.map { $0[2, 0].blue } == [1, 1, 1, 4])
        #expect(pixels.map { $0[3, 3].blue } == [1, 1, 1, 1])
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

    private func wholeFrame(
        disposal: FramePlacement.Disposal = .keep, hidesCanvas: Bool? = nil, isOpaque: Bool = true
    ) -> FramePlacement {
        FramePlacement(
            rectangle: .whole(canvas), disposal: disposal, hidesCanvas: hidesCanvas ?? isOpaque, isOpaque: isOpaque)
    }

    private func partialFrame(x: Int = 0, disposal: FramePlacement.Disposal = .keep) -> FramePlacement {
        FramePlacement(
            rectangle: PixelRectangle(x: x, y: 0, size: PixelSize(2, 2)), disposal: disposal, hidesCanvas: true,
            isOpaque: true)
    }
}
