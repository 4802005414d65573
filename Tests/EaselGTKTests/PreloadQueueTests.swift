#if GTK
@testable import EaselGTK
import Testing

/// The order in which the loads of views that are not visible begin.
@Suite struct PreloadQueueTests {
    private var queue = PreloadQueue<String>(limit: 2, ahead: 3)

    private mutating func next() -> String? { queue.next { _ in true } }
    private mutating func begin(_ view: String) { queue.setLoading(view, true) }

    @Test mutating func loadsBeginInTheOrderInWhichTheyWereSet() {
        for view in ["a", "b", "c"] { queue.add(view) }
        #expect([next(), next(), next(), next()] == ["a", "b", "c", nil])
    }

    @Test mutating func nobodyBeginsWhileAsManyLoadAsMay() {
        queue.add("c")
        queue.setLoading("a", true)
        #expect(queue.isDue)
        queue.setLoading("b", true)
        #expect(!queue.isDue)
        #expect(next() == nil)
        queue.setLoading("a", false)
        #expect(queue.isDue)
        #expect(next() == "c")
    }

    @Test mutating func onlySoManyLoadAheadAtATime() {
        for view in ["a", "b", "c", "d"] { queue.add(view) }
        for view in ["a", "b", "c"] {
            #expect(next() == view)
            begin(view)
        }
        #expect(next() == nil)
        queue.setLoading("b", false)
        #expect(next() == "d")
    }

    @Test mutating func aViewThatIsSetAgainStandsAtTheEnd() {
        for view in ["a", "b", "a"] { queue.add(view) }
        #expect([next(), next(), next()] == ["b", "a", nil])
    }

    @Test mutating func whoHasLeftHasNoTurn() {
        for view in ["a", "b"] { queue.add(view) }
        queue.remove("a")
        queue.remove("b")
        #expect(!queue.isDue)
        queue.add("a")
        #expect([next(), next()] == ["a", nil])
    }

    @Test mutating func whoMayNotBeginKeepsItsPlace() {
        for view in ["a", "b", "c"] { queue.add(view) }
        #expect(queue.next { $0 != "a" } == "b")
        #expect([next(), next(), next()] == ["a", "c", nil])
    }

    @Test mutating func noMoreThanTheLimitBeginUntilTheFirstThatIsSeenIsThereAndDrawn() {
        for view in ["a", "b", "c", "d"] { queue.add(view) }
        queue.setLoading("seen", true)
        #expect([next(), next(), next()] == ["a", "b", nil])
        for view in ["a", "b"] { begin(view) }
        for view in ["a", "b"] { queue.setLoading(view, false) }
        #expect(next() == nil)
        #expect(queue.precedence == .visible)
        queue.setLoading("seen", false)
        #expect(queue.precedence == .drawing)
        #expect(next() == nil)
        queue.endPrecedence()
        #expect([next(), next()] == ["c", "d"])
    }

    @Test mutating func whatIsSeenBeforeTheFrameGoesBeforeToo() {
        queue.add("a")
        queue.setLoading("seen", true)
        queue.setLoading("seen", false)
        queue.setLoading("late", true)
        #expect(queue.precedence == .visible)
        queue.setLoading("late", false)
        #expect(queue.precedence == .drawing)
    }

    @Test mutating func whatIsSeenWhileOthersLoadKeepsNobodyWaiting() {
        for view in ["a", "b", "c", "d"] { queue.add(view) }
        #expect(next() == "a")
        begin("a")
        queue.setLoading("seen", true)
        queue.setLoading("a", false)
        for view in ["b", "c", "d"] {
            #expect(next() == view)
            begin(view)
            queue.setLoading(view, false)
        }
        queue.setLoading("seen", false)
        #expect(queue.precedence == .nothing)
    }

    @Test mutating func anImageThatTakesVeryLongHoldsUpNobody() {
        for view in ["a", "b", "c"] { queue.add(view) }
        queue.setLoading("slow", true)
        for view in ["a", "b"] {
            #expect(next() == view)
            begin(view)
            queue.setLoading(view, false)
        }
        #expect(next() == nil)
        queue.endPrecedence()
        #expect(next() == "c")
    }

    @Test mutating func aViewThatLoadedAheadAndIsSetAgainMayBeTheFirstThatIsSeen() {
        queue.add("a")
        #expect(next() == "a")
        queue.add("a")
        queue.remove("a")
        queue.setLoading("a", true)
        queue.setLoading("a", false)
        #expect(queue.precedence == .drawing)
    }

    @Test mutating func aLongLineOfThoseWhoHaveLeftIsForgotten() {
        queue.add("first")
        for number in 0..<1_000 {
            queue.add("\(number)")
            queue.remove("\(number)")
        }
        queue.add("last")
        #expect([next(), next(), next()] == ["first", "last", nil])
    }
}
#endif
