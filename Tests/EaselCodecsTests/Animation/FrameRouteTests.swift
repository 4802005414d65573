import EaselCore
import Testing

@testable import EaselCodecs

@Suite("Animation: frame route")
struct FrameRouteTests {
    private let canvas = PixelSize(10, 10)
    private static let part = FramePlacement(
        rectangle: PixelRectangle(x: 0, y: 0, size: PixelSize(5, 5)), disposal: .keep, hidesCanvas: true, isOpaque: true
    )
    private static let fullCanvas = FramePlacement(
        rectangle: .whole(PixelSize(10, 10)), disposal: .keep, hidesCanvas: true, isOpaque: true)

    private func route(
        to target: Int, current: Int?, cached: [Int] = [], _ placements: [FramePlacement]
    ) -> FrameRoute {
        FrameRoute.shortest(to: target, current: current, cached: cached, placements: placements, canvas: canvas)
    }

    @Test("the next frame is drawn on the shown one, however many canvases are cached")
    func next() {
        let placements = [FramePlacement](repeating: Self.part, count: 20)
        #expect(route(to: 8, current: 7, cached: [4, 8], placements) == .current)
        #expect(route(to: 7, current: 7, cached: [4], placements) == .current)
    }

    @Test("another frame starts at the nearest cached canvas")
    func reusesCachedCanvases() {
        let placements = [FramePlacement](repeating: Self.part, count: 20)
        #expect(route(to: 9, current: 3, cached: [4, 8, 12], placements) == .cached(8))
        #expect(route(to: 9, current: 12, cached: [4, 8, 12], placements) == .cached(8))
        #expect(route(to: 3, current: 12, cached: [4, 8, 12], placements) == .clear(0))
    }

    @Test("a route can start at a frame that hides all earlier ones")
    func hiding() {
        var placements = [FramePlacement](repeating: Self.part, count: 20)
        placements[10] = Self.fullCanvas
        #expect(route(to: 12, current: 3, cached: [4, 8], placements) == .clear(10))
        #expect(route(to: 10, current: 9, cached: [4, 8], placements) == .current)
        #expect(route(to: 12, current: nil, placements) == .clear(10))
    }

    @Test("canvases are cached at even distances, within the byte limit")
    func cachedFrames() {
        let many = CachedFrames(frameCount: 300, canvasBytes: 1 << 20)
        #expect((0..<300).filter(many.contains) == [60, 120, 180, 240])
        let large = CachedFrames(frameCount: 300, canvasBytes: 32 << 20)
        #expect((0..<300).filter(large.contains).count == 2)
        let huge = CachedFrames(frameCount: 300, canvasBytes: 400 << 20)
        #expect(!(0..<300).contains(where: huge.contains))
        #expect(!CachedFrames(frameCount: 1, canvasBytes: 64).contains(0))
    }
}
