#if GTK
@testable import EaselGTK
import Testing

/// Which positions of a list are near its visible part, and which are far.
@Suite struct SightTests {
    /// The visible positions are 100 to 139.
    private let sight = Sight(of: (100..<140).shuffled())

    @Test func nothingIsNearWhereNothingIsSeen() {
        #expect(Sight(of: []) == nil)
    }

    @Test func whatIsSeenIsNear() throws {
        let sight = try #require(sight)
        #expect((100..<140).allSatisfy { sight.isNear($0) && !sight.isFar($0) })
    }

    @Test func aQuarterOfAPageOnEitherSideIsNear() throws {
        let sight = try #require(sight)
        #expect(sight.isNear(90) && sight.isNear(149))
        #expect(!sight.isNear(89) && !sight.isNear(150))
    }

    @Test func moreThanHalfAPageOnEitherSideIsFar() throws {
        let sight = try #require(sight)
        #expect(!sight.isFar(80) && !sight.isFar(159))
        #expect(sight.isFar(79) && sight.isFar(160))
    }

    @Test func theNeighboursOfASingleRowAreNearAndOthersFar() throws {
        let sight = try #require(Sight(of: [7]))
        #expect(sight.isNear(6) && sight.isNear(8))
        #expect(sight.isFar(5) && sight.isFar(9))
    }
}
#endif
