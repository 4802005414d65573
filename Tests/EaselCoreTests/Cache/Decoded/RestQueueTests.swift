import Testing

@testable import EaselCore

@Suite("Decoded tier: what waits for rest")
struct RestQueueTests {
    /// A queue of numbers that can be changed within an expectation.
    private final class Numbers {
        private(set) var queue = RestQueue<Int>()

        func add(_ value: Int, for key: CacheKey, at now: Duration, isWaitedFor: Bool = true) -> Bool {
            queue.add(value, for: key, at: now, isWaitedFor: isWaitedFor)
        }
        func step(at now: Duration) -> RestQueue<Int>.Step { queue.step(at: now) }
        func hurriedStep() -> RestQueue<Int>.Step { queue.hurriedStep() }
        func forget(_ key: CacheKey) { queue.forget(key) }
        func forgetOldest(while isUseless: (Int) -> Bool) { queue.forgetOldest(while: isUseless) }
        func remove(_ key: CacheKey) { queue.remove(key) }
        func removeAll() { queue.removeAll() }
        func finished(_ number: Int) -> Bool { queue.finished(number) }

        /// What is taken at this moment.
        func taken(at now: Duration) -> [Int] {
            var taken: [Int] = []
            while case .take(_, let value, _) = queue.step(at: now) { taken.append(value) }
            return taken
        }

        /// How long to wait at this moment.
        func pause(at now: Duration) -> Duration? {
            if case .wait(let pause) = queue.step(at: now) { pause } else { nil }
        }
    }

    private let numbers = Numbers()

    @Test("it waits for 150 ms in which nothing comes, and then comes in order")
    func rest() {
        _ = numbers.add(1, for: "a", at: .zero)
        _ = numbers.add(2, for: "b", at: .milliseconds(100))
        #expect(numbers.pause(at: .milliseconds(100)) == .milliseconds(150))
        #expect(numbers.pause(at: .milliseconds(249)) == .milliseconds(1))
        #expect(numbers.taken(at: .milliseconds(250)) == [1, 2])
    }

    @Test("what comes while they are worked off makes the others wait anew")
    func again() {
        _ = numbers.add(1, for: "a", at: .zero)
        _ = numbers.add(2, for: "b", at: .zero)
        _ = numbers.step(at: .milliseconds(150))
        _ = numbers.add(3, for: "c", at: .milliseconds(160))
        #expect(numbers.pause(at: .milliseconds(160)) == .milliseconds(150))
    }

    @Test("what nobody waits for makes nothing wait, and comes with the others in order")
    func ofNoUrgency() {
        _ = numbers.add(1, for: "a", at: .zero)
        _ = numbers.add(2, for: "b", at: .milliseconds(140), isWaitedFor: false)
        #expect(numbers.pause(at: .milliseconds(149)) == .milliseconds(1))
        #expect(numbers.taken(at: .milliseconds(150)) == [1, 2])
        _ = numbers.add(3, for: "c", at: .milliseconds(200), isWaitedFor: false)
        #expect(numbers.taken(at: .milliseconds(200)) == [3])
    }

    @Test("where nothing came before, what nobody waits for comes at once")
    func ofNoUrgencyAlone() {
        _ = numbers.add(1, for: "a", at: .zero, isWaitedFor: false)
        #expect(numbers.taken(at: .zero) == [1])
    }

    @Test("nothing waits longer than five seconds, however often something comes")
    func patience() {
        for tenth in 0...49 { _ = numbers.add(tenth, for: CacheKey("\(tenth)"), at: .milliseconds(100 * tenth)) }
        #expect(numbers.pause(at: .milliseconds(4_900)) == .milliseconds(100))
        #expect(numbers.taken(at: .milliseconds(5_000)) == [0])
    }

    @Test("something newer takes the place of what waits under its key, and its time")
    func replaced() {
        _ = numbers.add(1, for: "a", at: .zero)
        _ = numbers.add(2, for: "a", at: .milliseconds(4_900))
        #expect(numbers.queue["a"] == 2)
        #expect(numbers.pause(at: .milliseconds(5_000)) == .milliseconds(50))
        #expect(numbers.taken(at: .milliseconds(5_050)) == [2])
    }

    @Test("somebody has to begin where nobody works it off, and again when all has been")
    func begins() {
        #expect(numbers.add(1, for: "a", at: .zero))
        #expect(!numbers.add(2, for: "b", at: .zero))
        #expect(numbers.taken(at: .seconds(1)).count == 2)
        #expect(numbers.add(3, for: "c", at: .seconds(1)))
    }

    @Test("what is let go of or taken back does not come; what is being done is undone where it was taken back")
    func takenBack() {
        for (value, key) in [(1, "a"), (2, "b"), (3, "c")] { _ = numbers.add(value, for: CacheKey(key), at: .zero) }
        numbers.forget("b")
        #expect(numbers.queue["b"] == nil)
        guard case .take("a", _, let first) = numbers.hurriedStep(),
            case .take("c", _, let second) = numbers.hurriedStep()
        else {
            Issue.record("Others come.")
            return
        }
        #expect(!numbers.queue.isResting)
        numbers.remove("a")
        numbers.forget("c")
        #expect(numbers.finished(first))
        #expect(!numbers.finished(second))
        // Until it is undone nothing newer may be written.
        #expect(numbers.queue.isUnderWay("a") && !numbers.queue.isUnderWay("c"))
        #expect(!numbers.finished(first))
        #expect(numbers.queue.isResting)
    }

    @Test("the oldest that are of no use any more are let go, up to the first that is")
    func useless() {
        for number in 1...5 { _ = numbers.add(number, for: CacheKey("\(number)"), at: .zero) }
        numbers.forgetOldest { $0 != 3 }
        #expect(numbers.taken(at: .seconds(1)) == [3, 4, 5])
        numbers.forgetOldest { _ in true }
        #expect(numbers.taken(at: .seconds(1)).isEmpty)
    }

    @Test("what is added again while the older one is being done leaves that, and comes by itself")
    func addedWhileDone() {
        _ = numbers.add(1, for: "a", at: .zero)
        guard case .take(_, 1, let first) = numbers.hurriedStep() else { return }
        _ = numbers.add(2, for: "a", at: .zero)
        // Side by side the older could be written over the newer.
        #expect(numbers.taken(at: .seconds(1)).isEmpty)
        if case .wait = numbers.hurriedStep() {} else { Issue.record("It does not wait.") }
        #expect(!numbers.finished(first))
        #expect(numbers.taken(at: .seconds(1)) == [2])
    }

    @Test("everything can be taken back at once")
    func all() {
        _ = numbers.add(1, for: "a", at: .zero)
        _ = numbers.add(2, for: "b", at: .zero)
        guard case .take(_, _, let number) = numbers.hurriedStep() else { return }
        numbers.removeAll()
        #expect(numbers.finished(number))
        #expect(numbers.taken(at: .seconds(9)).isEmpty)
    }

    @Test("of more than may wait the oldest are let go")
    func bounded() {
        for number in 0...RestQueue<Int>.limit { _ = numbers.add(number, for: CacheKey("\(number)"), at: .zero) }
        #expect(numbers.queue["0"] == nil)
        #expect(numbers.queue["1"] == 1)
        #expect(numbers.taken(at: .seconds(1)).count == RestQueue<Int>.limit)
    }
}
