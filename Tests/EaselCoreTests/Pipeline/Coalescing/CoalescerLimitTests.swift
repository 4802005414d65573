import EaselTesting
import Testing

@testable import EaselCore

@Suite("Coalescer state: limit of running operations")
struct CoalescerLimitTests {
    private typealias State = CoalescerState<String, Int>
    private var state = State(limit: 2)

    @Test("work over the limit waits and starts in its order of arrival")
    mutating func line() {
        #expect(words(join(1, "a")) == ["start 1 led by 1"])
        #expect(words(join(2, "b")) == ["start 2 led by 2"])
        #expect(words(join(3, "c")) == ["probe 3"])
        #expect(words(join(4, "d")).isEmpty, "one probe at a time")
        #expect(state.count == 4)
        #expect(words(state.finish(2, .success(1))) == ["finish success 1 for [2]", "start 3 led by 3"])
        #expect(words(state.finish(1, .success(1))) == ["finish success 1 for [1]", "start 4 led by 4"])
    }

    @Test("work with higher priority starts first, also if it was raised while waiting (B60)")
    mutating func priorities() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")] { _ = join(subscriber, key) }
        #expect(words(state.setDemand(LoadDemand(priority: .high), of: 5)).isEmpty)
        #expect(words(join(6, "d", .high)).isEmpty, "a new subscriber raises the priority of waiting work")
        #expect(words(state.finish(1, .success(1))).last == "start 5 led by 5")
        #expect(words(state.finish(2, .success(1))).last == "start 4 led by 4")
    }

    @Test("waiting work ends when its last subscriber leaves, without effect on other work (S164, B59)")
    mutating func leaving() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c"), (4, "c"), (5, "d")] { _ = join(subscriber, key) }
        #expect(words(state.leave(3)) == ["finish cancelled for [3]"])
        #expect(words(state.leave(5)) == ["finish cancelled for [5]"])
        #expect(state.count == 3)
        #expect(words(state.finish(1, .success(1))).last == "start 3 led by 4", "led by the remaining subscriber")
        #expect(words(state.finish(2, .success(1))) == ["finish success 1 for [2]"])
    }

    @Test("work that is cancelled frees a slot for waiting work")
    mutating func cancelling() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c")] { _ = join(subscriber, key) }
        #expect(words(state.leave(1)) == ["finish cancelled for [1]", "cancel 1", "start 3 led by 3"])
    }

    @Test("work of subscribers that leave together is not started in between")
    mutating func leavingTogether() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")] { _ = join(subscriber, key) }
        #expect(
            words(state.leave([1, 2, 3, 4])) == [
                "finish cancelled for [1, 2, 3, 4]", "cancel 1", "cancel 2", "start 5 led by 5",
            ])
        #expect(state.count == 1)
    }

    @Test("local work has a separate limit of the same size")
    mutating func local() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (6, "f")] {
            _ = join(subscriber, key)
        }
        #expect(words(state.didProbe(3, isLocal: true)) == ["start 3 led by 3", "probe 4"])
        #expect(words(state.didProbe(4, isLocal: false)) == ["probe 5"])
        #expect(words(state.didProbe(5, isLocal: true)) == ["start 5 led by 5", "probe 6"])
        #expect(words(state.didProbe(6, isLocal: true)).isEmpty, "the limit is two")
        #expect(words(state.finish(5, .success(1))).last == "start 6 led by 6")
        #expect(words(state.finish(1, .success(1))).last == "start 4 led by 4")
    }

    @Test("a late probe result has no effect, and work that has ended is not probed")
    mutating func lateLook() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")] { _ = join(subscriber, key) }
        _ = state.finish(1, .success(1))
        _ = state.leave(4)
        #expect(words(state.didProbe(3, isLocal: true)) == ["probe 5"])
        _ = state.leave(5)
        #expect(words(state.didProbe(5, isLocal: true)).isEmpty)
        #expect(words(join(6, "f")) == ["probe 6"])
    }

    @Test("nested work does not wait, nor does work that it joins")
    mutating func nested() {
        for (subscriber, key) in [(1, "a"), (2, "b"), (3, "c")] { _ = join(subscriber, key) }
        #expect(words(join(4, "d", mayWait: false)) == ["start 4 led by 4"])
        #expect(words(join(5, "c", mayWait: false)) == ["start 3 led by 3"])
    }

    @Test("a retry after a failure does not wait again (B62)")
    mutating func retry() {
        for (subscriber, key) in [(1, "a"), (2, "a"), (3, "b"), (4, "c")] { _ = join(subscriber, key) }
        let actions = words(state.finish(1, .failure(.timedOut(.idle))))
        #expect(actions == ["finish timedOut for [1]", "start 4 led by 2", "start 3 led by 4"])
    }

    @Test("every subscriber is finished once, and the limit holds, in any order of events", arguments: 1...20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = LineModel()
        for subscriber in 1...400 {
            model.follow(model.state.join(subscriber, "\(Int.random(in: 0..<30, using: &random))", priority: .normal))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: model.follow(model.state.leave(Int.random(in: 1...subscriber, using: &random)))
            case 1: model.finishOne(using: &random)
            case 2: model.probe(isLocal: Bool.random(using: &random))
            default: break
            }
            #expect(model.running.count <= 8)
        }
        while !model.running.isEmpty {
            model.probe(isLocal: false)
            model.finishOne(using: &random)
        }
        #expect(model.finished.count == 400)
        #expect(model.finished.values.allSatisfy { $0 == 1 })
        #expect(model.state.count == 0)
    }

    private struct LineModel {
        var state = State(limit: 4)
        var running: [Int] = []
        var looking: [Int] = []
        var finished: [Int: Int] = [:]

        mutating func finishOne(using random: inout SeededGenerator) {
            guard !running.isEmpty else { return }
            follow(state.finish(running.remove(at: Int.random(in: running.indices, using: &random)), .success(1)))
        }

        mutating func probe(isLocal: Bool) {
            guard let id = looking.popLast() else { return }
            follow(state.didProbe(id, isLocal: isLocal))
        }

        mutating func follow(_ actions: [State.Action]) {
            for action in actions {
                switch action {
                case .start(let id, _): running.append(id)
                case .cancel(let id): running.removeAll { $0 == id }
                case .probe(let id, _):
                    looking.append(id)
                    #expect(looking.count == 1)
                case .finish(_, _, let subscribers):
                    for subscriber in subscribers { finished[subscriber, default: 0] += 1 }
                case .updateDemand, .deliver, .announceRequest, .answer, .release: break
                }
            }
        }
    }

    private mutating func join(
        _ subscriber: Int, _ key: String, _ priority: LoadPriority = .normal, mayWait: Bool = true
    ) -> [State.Action] {
        state.join(subscriber, key, demand: LoadDemand(priority: priority), mayWait: mayWait)
    }

    private func words(_ actions: [State.Action]) -> [String] { actions.map(\.words) }
}
