#if GTK
@testable import EaselGTK
import Testing

/// The order in which the loads of views that are not visible begin.
@Suite struct LoadTurnsTests {
    private var turns = LoadTurns<String>(limit: 2, ahead: 3)

    private mutating func next() -> String? { turns.next { _ in true } }
    private mutating func begin(_ view: String) { turns.setLoading(view, true) }

    @Test mutating func loadsBeginInTheOrderInWhichTheyWereSet() {
        for view in ["a", "b", "c"] { turns.add(view) }
        #expect([next(), next(), next(), next()] == ["a", "b", "c", nil])
    }

    @Test mutating func nobodyBeginsWhileAsManyLoadAsMay() {
        turns.add("c")
        turns.setLoading("a", true)
        #expect(turns.isDue)
        turns.setLoading("b", true)
        #expect(!turns.isDue)
        #expect(next() == nil)
        turns.setLoading("a", false)
        #expect(turns.isDue)
        #expect(next() == "c")
    }

    @Test mutating func onlySoManyLoadAheadAtATime() {
        for view in ["a", "b", "c", "d"] { turns.add(view) }
        for view in ["a", "b", "c"] {
            #expect(next() == view)
            begin(view)
        }
        #expect(next() == nil)
        turns.setLoading("b", false)
        #expect(next() == "d")
    }

    @Test mutating func aViewThatIsSetAgainStandsAtTheEnd() {
        for view in ["a", "b", "a"] { turns.add(view) }
        #expect([next(), next(), next()] == ["b", "a", nil])
    }

    @Test mutating func whoHasLeftHasNoTurn() {
        for view in ["a", "b"] { turns.add(view) }
        turns.leave("a")
        turns.leave("b")
        #expect(!turns.isDue)
        turns.add("a")
        #expect([next(), next()] == ["a", nil])
    }

    @Test mutating func whoMayNotBeginKeepsItsPlace() {
        for view in ["a", "b", "c"] { turns.add(view) }
        #expect(turns.next { $0 != "a" } == "b")
        #expect([next(), next(), next()] == ["a", "c", nil])
    }

    @Test mutating func noMoreThanTheLimitBeginUntilTheFirstThatIsSeenIsThereAndDrawn() {
        for view in ["a", "b", "c", "d"] { turns.add(view) }
        turns.setLoading("seen", true)
        #expect([next(), next(), next()] == ["a", "b", nil])
        for view in ["a", "b"] { begin(view) }
        for view in ["a", "b"] { turns.setLoading(view, false) }
        #expect(next() == nil)
        #expect(turns.precedence == .seen)
        turns.setLoading("seen", false)
        #expect(turns.precedence == .drawing)
        #expect(next() == nil)
        turns.endPrecedence()
        #expect([next(), next()] == ["c", "d"])
    }

    @Test mutating func whatIsSeenBeforeTheFrameGoesBeforeToo() {
        turns.add("a")
        turns.setLoading("seen", true)
        turns.setLoading("seen", false)
        turns.setLoading("late", true)
        #expect(turns.precedence == .seen)
        turns.setLoading("late", false)
        #expect(turns.precedence == .drawing)
    }

    @Test mutating func whatIsSeenWhileOthersLoadKeepsNobodyWaiting() {
        for view in ["a", "b", "c", "d"] { turns.add(view) }
        #expect(next() == "a")
        begin("a")
        turns.setLoading("seen", true)
        turns.setLoading("a", false)
        for view in ["b", "c", "d"] {
            #expect(next() == view)
            begin(view)
            turns.setLoading(view, false)
        }
        turns.setLoading("seen", false)
        #expect(turns.precedence == .nothing)
    }

    @Test mutating func anImageThatTakesVeryLongHoldsUpNobody() {
        for view in ["a", "b", "c"] { turns.add(view) }
        turns.setLoading("slow", true)
        for view in ["a", "b"] {
            #expect(next() == view)
            begin(view)
            turns.setLoading(view, false)
        }
        #expect(next() == nil)
        turns.endPrecedence()
        #expect(next() == "c")
    }

    @Test mutating func aViewThatLoadedAheadAndIsSetAgainMayBeTheFirstThatIsSeen() {
        turns.add("a")
        #expect(next() == "a")
        turns.add("a")
        turns.leave("a")
        turns.setLoading("a", true)
        turns.setLoading("a", false)
        #expect(turns.precedence == .drawing)
    }

    @Test mutating func aLongLineOfThoseWhoHaveLeftIsForgotten() {
        turns.add("first")
        for number in 0..<1_000 {
            turns.add("\(number)")
            turns.leave("\(number)")
        }
        turns.add("last")
        #expect([next(), next(), next()] == ["first", "last", nil])
    }
}
#endif
