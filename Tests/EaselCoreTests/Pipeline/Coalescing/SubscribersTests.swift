import Testing

@testable import EaselCore

@Suite("Subscribers")
struct SubscribersTests {
    private static let normal = LoadDemand(priority: .normal)
    private var list = Subscribers(0, normal)

    private mutating func add(_ subscribers: some Sequence<Int>) {
        for subscriber in subscribers { list.set(Self.normal, of: subscriber) }
        list.remove(0)
    }

    @Test("subscribers are listed in the order of their numbers, also if one is late")
    mutating func order() {
        add([1, 4, 2, 3, 9])
        #expect(list.all == [1, 2, 3, 4, 9])
        #expect(list.all.first == 1)
    }

    @Test("removed subscribers are not listed, and the next one becomes the first")
    mutating func leaving() {
        add(1...5)
        list.remove(1)
        list.remove(4)
        #expect(list.all == [2, 3, 5])
        #expect(list.all.first == 2)
    }

    @Test("after many additions and removals, the remaining subscribers are listed")
    mutating func many() {
        add(1...1000)
        for subscriber in 1...998 { list.remove(subscriber) }
        add(1001...1002)
        #expect(list.all == [999, 1000, 1001, 1002])
    }

    @Test("a subscriber added after all were removed is the only one")
    mutating func again() {
        add(1...3)
        for subscriber in 1...3 { list.remove(subscriber) }
        #expect(list.all.isEmpty)
        #expect(list.all.first == nil)
        add([7])
        #expect(list.all == [7])
        add([8])
        #expect(list.all == [7, 8])
    }
}
