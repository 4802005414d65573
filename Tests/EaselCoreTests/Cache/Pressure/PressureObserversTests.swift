import Testing

@testable import EaselCore

@Suite("Memory pressure: when the source runs")
struct PressureObserversTests {
    @Test("the first observer starts it, the last one that leaves stops it")
    func firstAndLast() {
        var observers = PressureObservers<String>()
        let first = observers.add("a")
        #expect(observers.begin() == .start)
        observers.end()
        let second = observers.add("b")
        #expect(observers.begin() == nil)
        observers.remove(first)
        #expect(observers.begin() == nil)
        #expect(observers.handlers == ["b"])
        observers.remove(second)
        #expect(observers.begin() == .stop)
        observers.end()
        #expect(observers.begin() == nil)
    }

    @Test("one acts at a time; what changed meanwhile is done by the same one afterwards")
    func crossing() {
        var observers = PressureObservers<String>()
        let first = observers.add("a")
        #expect(observers.begin() == .start)
        observers.remove(first)
        #expect(observers.begin() == nil)
        observers.end()
        #expect(observers.begin() == .stop)
        _ = observers.add("b")
        #expect(observers.begin() == nil)
        observers.end()
        #expect(observers.begin() == .start)
    }

    @Test("who comes and goes while another acts leaves nothing to do")
    func comeAndGone() {
        var observers = PressureObservers<String>()
        let first = observers.add("a")
        _ = observers.begin()
        observers.remove(first)
        _ = observers.add("b")
        observers.end()
        #expect(observers.begin() == nil)
    }

    @Test("leaving twice is leaving once")
    func twice() {
        var observers = PressureObservers<String>()
        let first = observers.add("a")
        _ = observers.add("b")
        observers.remove(first)
        observers.remove(first)
        #expect(observers.handlers == ["b"])
    }
}
