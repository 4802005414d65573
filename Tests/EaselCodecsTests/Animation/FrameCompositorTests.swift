import EaselTesting
import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Animation: frames in any order")
struct FrameCompositorTests {
    /// Frames that each draw a different pixel, so that a canvas shows which frames were drawn on it.
    private struct Dots: FrameSource {
        var header: ImageHeader
        var placements: [FramePlacement]
        var failing: Set<Int> = []

        init(_ count: Int, disposal: (Int) -> FramePlacement.Disposal = { _ in .keep }) {
            header = ImageHeader(format: .gif, storedSize: PixelSize(count, 1), frameCount: count, hasAlpha: true)
            placements = (0..<count).map {
                FramePlacement(
                    rectangle: PixelRectangle(x: $0, y: 0, size: PixelSize(1, 1)), disposal: disposal($0),
                    hidesCanvas: false, isOpaque: false)
            }
        }

        func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
            canvas.fill(placements[frame].rectangle, with: .max)
            if failing.contains(frame) { throw .badData("This frame is damaged.") }
            return true
        }
    }

    private func compositor(_ dots: Dots) throws -> FrameCompositor<Dots> {
        try FrameCompositor(dots, isPartial: false, DecodeOptions())
    }

    /// Returns the frames that are visible on a canvas.
    private func visible(_ image: DecodedImage) -> [Int] {
        (0..<image.size.width).filter { image.pixels[$0, 0].alpha > 0 }
    }

    @Test("each frame is drawn once when decoded in order")
    func order() throws {
        let compositor = try compositor(Dots(100))
        for index in 0..<100 {
            let image = try compositor.frame(index, isCancelled: { false })
            #expect(visible(image) == Array(0...index))
            #expect(image.metadata.frameIndex == index)
            #expect(compositor.drawnCount == index + 1)
        }
        _ = try compositor.frame(99, isCancelled: { false })
        #expect(compositor.drawnCount == 100)
    }

    @Test("a seek backwards draws at most the frames since the nearest cached canvas")
    func backwards() throws {
        let compositor = try compositor(Dots(100))
        _ = try compositor.frame(99, isCancelled: { false })
        #expect(compositor.cachedCanvasCount == CachedFrames.maxCanvases)
        for index in (0..<100).reversed() {
            let before = compositor.drawnCount
            #expect(visible(try compositor.frame(index, isCancelled: { false })) == Array(0...index))
            #expect(compositor.drawnCount - before <= 20)
        }
        #expect(compositor.cachedCanvasCount == CachedFrames.maxCanvases)
    }

    @Test("a short animation caches no canvas until the first seek, and then as many as a long one")
    func short() throws {
        let compositor = try compositor(Dots(20))
        // The first frame is decoded with the file.
        for index in 1..<20 { _ = try compositor.frame(index, isCancelled: { false }) }
        #expect(compositor.cachedCanvasCount == 0)
        #expect(visible(try compositor.frame(18, isCancelled: { false })) == Array(0...18))
        #expect(compositor.cachedCanvasCount == CachedFrames.maxCanvases)
        let before = compositor.drawnCount
        #expect(visible(try compositor.frame(17, isCancelled: { false })) == Array(0...17))
        #expect(compositor.drawnCount - before <= 4)
    }

    @Test("disposal has the same result in any order")
    func disposals() throws {
        let dots = Dots(30) { [.keep, .clear, .restore][$0 % 3] }
        let compositor = try compositor(dots)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let index = Int(random.next() % 30)
            let visibleFrames = (0..<index).filter { $0 % 3 == 0 }
            #expect(visible(try compositor.frame(index, isCancelled: { false })) == visibleFrames + [index])
        }
    }

    @Test("a frame in use stays unchanged, and the memory of a released frame is reused")
    func preservesFramesInUse() throws {
        let compositor = try compositor(Dots(100))
        let images = try (0..<8).map { try compositor.frame($0, isCancelled: { false }) }
        for (index, image) in images.enumerated() { #expect(visible(image) == Array(0...index)) }
        func address() throws -> UInt {
            let pixels = try compositor.frame(compositor.drawnCount, isCancelled: { false }).pixels
            return pixels.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        #expect(try address() == address())
    }

    @Test("the canvas is redrawn after an error")
    func error() throws {
        var dots = Dots(10)
        dots.failing = [5]
        let compositor = try compositor(dots)
        _ = try compositor.frame(4, isCancelled: { false })
        #expect(throws: ImageError.badData("This frame is damaged.")) {
            try compositor.frame(5, isCancelled: { false })
        }
        #expect(visible(try compositor.frame(3, isCancelled: { false })) == [0, 1, 2, 3])
        #expect(throws: ImageError.cancelled) { try compositor.frame(4, isCancelled: { true }) }
        #expect(visible(try compositor.frame(4, isCancelled: { false })) == [0, 1, 2, 3, 4])
    }

    @Test("a missing frame is refused")
    func missing() throws {
        let compositor = try compositor(Dots(3))
        for index in [-1, 3] {
            let error = #expect(throws: ImageError.self) { try compositor.frame(index, isCancelled: { false }) }
            #expect(error?.code == .unsupported)
        }
    }
}
