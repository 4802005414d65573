#if GTK
@testable import EaselGTK
import Testing

/// The order of the loads for views that are not visible.
@Suite("Preload queue")
struct PreloadQueueTests {
    private var queue = PreloadQueue<String>(limit: 2, preloads: 3)

    private mutating func next() -> String? { queue.next { _ in true } }
    private mutating func begin(_ view: String) { queue.setLoading(view, true) }

    @Test("loads start in the order in which the views were set")
    mutating func setOrder() {
        for view in ["a", "b", "c"] { queue.add(view) }
        #expect([next(), next(), next(), next()] == ["a", "b", "c", nil])
    }

    @Test("no load starts while the maximum number of loads is running")
    mutating func loadLimit() {
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

    @Test("at most three views are preloaded at a time")
    mutating func preloadLimit() {
        for view in ["a", "b", "c", "d"] { queue.add(view) }
        for view in ["a", "b", "c"] {
            #expect(next() == view)
            begin(view)
        }
        #expect(next() == nil)
        queue.setLoading("b", false)
        #expect(next() == "d")
    }

    @Test("a view that is set again moves to the end of the queue")
    mutating func setAgain() {
        for view in ["a", "b", "a"] { queue.add(view) }
        #expect([next(), next(), next()] == ["b", "a", nil])
    }

    @Test("a removed view does not load")
    mutating func removedView() {
        for view in ["a", "b"] { queue.add(view) }
        queue.remove("a")
        queue.remove("b")
        #expect(!queue.isDue)
        queue.add("a")
        #expect([next(), next()] == ["a", nil])
    }

    @Test("a view that may not load yet keeps its position")
    mutating func keepPosition() {
        for view in ["a", "b", "c"] { queue.add(view) }
        #expect(queue.next { $0 != "a" } == "b")
        #expect([next(), next(), next()] == ["a", "c", nil])
    }

    @Test("until the first visible image is loaded and drawn, no more loads start than the limit")
    mutating func visiblePrecedence() {
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

    @Test("a view that becomes visible before the frame is drawn also has precedence")
    mutating func lateVisibleView() {
        queue.add("a")
        queue.setLoading("seen", true)
        queue.setLoading("seen", false)
        queue.setLoading("late", true)
        #expect(queue.precedence == .visible)
        queue.setLoading("late", false)
        #expect(queue.precedence == .drawing)
    }

    @Test("a view that becomes visible while others are preloaded does not delay the queue")
    mutating func noPrecedence() {
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

    @Test("the queue continues when the precedence of a slow image ends")
    mutating func slowImage() {
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

    @Test("a preloaded view that is set again can have precedence")
    mutating func setAgainVisible() {
        queue.add("a")
        #expect(next() == "a")
        queue.add("a")
        queue.remove("a")
        queue.setLoading("a", true)
        queue.setLoading("a", false)
        #expect(queue.precedence == .drawing)
    }

    @Test("removed views do not stay in the queue")
    mutating func removedViews() {
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
