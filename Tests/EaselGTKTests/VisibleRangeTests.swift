#if GTK
@testable import EaselGTK
import Testing

/// Positions of a list near its visible part, and far from it.
@Suite("Visible range")
struct VisibleRangeTests {
    /// The visible positions are 100 to 139.
    private let range = VisibleRange(of: (100..<140).shuffled())

    @Test("without visible positions there is no range")
    func noVisiblePositions() {
        #expect(VisibleRange(of: []) == nil)
    }

    @Test("visible positions are near")
    func visiblePositions() throws {
        let range = try #require(self.range)
        #expect((100..<140).allSatisfy { range.isNear($0) && !range.isFar($0) })
    }

    @Test("a quarter of a page on either side is near")
    func nearPositions() throws {
        let range = try #require(self.range)
        #expect(range.isNear(90) && range.isNear(149))
        #expect(!range.isNear(89) && !range.isNear(150))
    }

    @Test("more than half a page on either side is far")
    func farPositions() throws {
        let range = try #require(self.range)
        #expect(!range.isFar(80) && !range.isFar(159))
        #expect(range.isFar(79) && range.isFar(160))
    }

    @Test("the neighbours of a single visible row are near, others are far")
    func singleRow() throws {
        let range = try #require(VisibleRange(of: [7]))
        #expect(range.isNear(6) && range.isNear(8))
        #expect(range.isFar(5) && range.isFar(9))
    }
}
#endif
