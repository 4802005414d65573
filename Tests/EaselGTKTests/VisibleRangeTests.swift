#if GTK
@testable import EaselGTK
import Testing

/// Which positions of a list are near its visible part, and which are far.
@Suite struct VisibleRangeTests {
    /// The visible positions are 100 to 139.
    private let range = VisibleRange(of: (100..<140).shuffled())

    @Test func nothingIsNearWhereNothingIsSeen() {
        #expect(VisibleRange(of: []) == nil)
    }

    @Test func whatIsSeenIsNear() throws {
        let range = try #require(self.range)
        #expect((100..<140).allSatisfy { range.isNear($0) && !range.isFar($0) })
    }

    @Test func aQuarterOfAPageOnEitherSideIsNear() throws {
        let range = try #require(self.range)
        #expect(range.isNear(90) && range.isNear(149))
        #expect(!range.isNear(89) && !range.isNear(150))
    }

    @Test func moreThanHalfAPageOnEitherSideIsFar() throws {
        let range = try #require(self.range)
        #expect(!range.isFar(80) && !range.isFar(159))
        #expect(range.isFar(79) && range.isFar(160))
    }

    @Test func theNeighboursOfASingleRowAreNearAndOthersFar() throws {
        let range = try #require(VisibleRange(of: [7]))
        #expect(range.isNear(6) && range.isNear(8))
        #expect(range.isFar(5) && range.isFar(9))
    }
}
#endif
