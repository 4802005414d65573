#if GTK
@testable import EaselGTK
import Testing

/// When the images that arrive at visible views are drawn.
@Suite("Drawing pace")
struct DrawingPaceTests {
    private var pace = DrawingPace<String>()

    /// Starts loads of visible views, after a frame that took 20 ms and ended at 100 ms.
    private mutating func begin(_ views: String...) {
        pace.frame(from: .milliseconds(80), to: .milliseconds(100))
        for view in views { #expect(pace.setLoading(view, true).isEmpty) }
    }

    @Test("images that arrive soon after a frame are drawn together")
    mutating func batch() {
        begin("a", "b", "c")
        #expect(pace.change("a", at: .milliseconds(110)) == [.startTimer(.milliseconds(50))])
        #expect(pace.setLoading("a", false).isEmpty)
        #expect(pace.change("b", at: .milliseconds(120)).isEmpty)
        #expect(pace.drawAll() == [.stopTimer, .draw(["a", "b"])])
        #expect(pace.drawAll().isEmpty)
    }

    @Test("an image that arrives later is drawn at once")
    mutating func lateImage() {
        begin("a", "b")
        #expect(pace.change("a", at: .milliseconds(160)) == [.draw(["a"])])
    }

    @Test("the last image that is loading draws those that wait")
    mutating func lastImage() {
        begin("a", "b")
        _ = pace.change("a", at: .milliseconds(110))
        #expect(pace.setLoading("a", false).isEmpty)
        #expect(pace.change("b", at: .milliseconds(120)).isEmpty)
        #expect(pace.setLoading("b", false) == [.stopTimer, .draw(["a", "b"])])
    }

    @Test("a change of a view that is not loading is drawn at once")
    mutating func otherChange() {
        begin("a")
        #expect(pace.change("b", at: .milliseconds(110)) == [.draw(["b"])])
    }

    @Test("a view that waited and changes after its load is drawn once")
    mutating func changeAfterLoad() {
        begin("a", "b")
        _ = pace.change("a", at: .milliseconds(110))
        _ = pace.setLoading("a", false)
        #expect(pace.change("a", at: .milliseconds(111)) == [.draw(["a"])])
        #expect(pace.drawAll().isEmpty)
    }

    @Test("an image waits for at most 100 ms, however long a frame takes")
    mutating func longFrame() {
        begin("a", "b")
        pace.frame(from: .milliseconds(200), to: .milliseconds(700))
        #expect(pace.change("a", at: .milliseconds(700)) == [.startTimer(.milliseconds(100))])
        #expect(pace.change("b", at: .milliseconds(800)) == [.draw(["b"])])
    }

    @Test("a frame that draws nothing does not end the pause")
    mutating func emptyFrame() {
        begin("a", "b")
        pace.frame(from: .milliseconds(116), to: .milliseconds(116))
        #expect(pace.change("a", at: .milliseconds(120)) == [.startTimer(.milliseconds(40))])
    }
}
#endif
