import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Coalescer state: random events")
struct CoalescerModelTests {
    @Test(
        "every subscriber is finished exactly once, and each key with subscribers has one operation",
        arguments: 1...20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = Model()
        var subscribers = 0
        for _ in 0..<500 {
            let subscriber = Int.random(in: 0...(subscribers + 1), using: &random)
            let work = Int.random(in: 0...(model.started.count + 1), using: &random)
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                subscribers += 1
                let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
                model.join(subscribers, key, priority)
            case 8..<12: model.leave(subscriber)
            case 12..<14: model.reprioritise(subscriber, priority)
            case 14..<16: model.note(work)
            default:
                let outcomes: [Result<Int, ImageError>] = [
                    .success(1), .failure(.timedOut(.idle)), .failure(.status(404)), .failure(.cancelled),
                ]
                model.finish(work, outcomes.randomElement(using: &random) ?? .success(1))
            }
            model.check()
        }
        for subscriber in model.waiting.keys.sorted() { model.leave(subscriber) }
        model.check()
        #expect(model.state.count == 0)
        #expect(model.finished.count == subscribers)
        #expect(model.finished.values.allSatisfy { $0 == 1 })
    }

    /// A model that follows the actions step by step.
    private struct Model {
        var state = CoalescerState<String, Int>()
        var waiting: [Int: (key: String, priority: LoadPriority)] = [:]
        /// How often each subscriber was finished.
        var finished: [Int: Int] = [:]
        var started: Set<Int> = []
        var running: [Int: String] = [:]

        mutating func join(_ subscriber: Int, _ key: String, _ priority: LoadPriority) {
            waiting[subscriber] = (key, priority)
            let before = started.count
            let mustStart = !running.values.contains(key)
            follow(state.join(subscriber, key, priority: priority))
            #expect(started.count == before + (mustStart ? 1 : 0))
        }

        mutating func leave(_ subscriber: Int) {
            let wasWaiting = waiting[subscriber] != nil
            follow(state.leave(subscriber))
            #expect(waiting[subscriber] == nil)
            #expect(!wasWaiting || finished[subscriber] == 1)
        }

        mutating func reprioritise(_ subscriber: Int, _ priority: LoadPriority) {
            waiting[subscriber]?.priority = priority
            follow(state.reprioritise(subscriber, priority))
        }

        mutating func note(_ work: Int) {
            let named = state.didReport(.progress(LoadProgress(received: 1, expected: nil)), from: work)
            let expected = running[work].map { key in waiting.filter { $0.value.key == key }.keys.sorted() }
            #expect(named == expected ?? [])
            #expect(named.isEmpty == (expected == nil))
        }

        mutating func finish(_ work: Int, _ outcome: Result<Int, ImageError>) {
            let wasRunning = running.removeValue(forKey: work) != nil
            let actions = state.finish(work, outcome)
            #expect(wasRunning || actions.isEmpty)
            follow(actions)
        }

        mutating func follow(_ actions: [CoalescerState<String, Int>.Action]) {
            for action in actions {
                switch action {
                case .probe, .answer: Issue.record("there is no limit, and no lease")
                case .start(let id, let leader):
                    #expect(started.insert(id).inserted)
                    running[id] = waiting[leader]?.key
                    #expect(running[id] != nil, "the leader is a subscriber")
                case .cancel(let id):
                    #expect(running.removeValue(forKey: id) != nil)
                case .updateDemand(let id):
                    #expect(running[id] != nil)
                case .announceRequest(let subscriber):
                    #expect(waiting[subscriber] != nil)
                case .deliver(_, let subscribers):
                    #expect(subscribers.allSatisfy { waiting[$0] != nil })
                case .finish(let id, let outcome, let subscribers):
                    for subscriber in subscribers {
                        #expect(waiting.removeValue(forKey: subscriber) != nil)
                        finished[subscriber, default: 0] += 1
                    }
                    // Subscribers that receive the value end their lease at once.
                    if case .success = outcome { for _ in subscribers { _ = state.endLease(of: id) } }
                case .release: break
                }
            }
        }

        func check() {
            #expect(state.count == running.count)
            #expect(Set(running.values) == Set(waiting.values.map(\.key)))
            #expect(Set(running.values).count == running.count)
            for (id, key) in running {
                let priorities = waiting.values.filter { $0.key == key }.map(\.priority)
                #expect(state.priority(of: id) == priorities.max())
            }
        }
    }
}
