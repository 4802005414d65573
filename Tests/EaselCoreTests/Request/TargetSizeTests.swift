import EaselCore
import Testing

@Suite("Target size")
struct TargetSizeTests {
    @Test("fits with the other side rounded up, as X156's example says")
    func fit() {
        let size = TargetSize.pixels(width: 400, height: 300).size(for: PixelSize(5250, 3450))
        #expect(size == PixelSize(400, 263))
    }
}
