import EaselTesting
import Testing

@testable import EaselCore

@Suite("Priority queue: comparison with a simple model")
struct PriorityQueueModelTests {
    @Test(
        "random events admit the same entries as a sorted list, within the limits", arguments: 1...10,
        [PriorityQueue<Int, String>.Order.firstInFirstOut, .lastInFirstOut])
    func random(seed: UInt64, order: PriorityQueue<Int, String>.Order) {
        var random = SeededGenerator(seed: seed)
        var queue = PriorityQueue<Int, String>(limit: 4, limitPerGroup: 2, order: order)
        var model = Model(limit: 4, limitPerGroup: 2, order: order)
        var next = 0
        for _ in 0..<900 {
            let id = next == 0 ? 0 : Int.random(in: max(0, next - 20)..<(next + 1), using: &random)
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9:
                let group = ["a", "b", "c"].randomElement(using: &random) ?? "a"
                let expected = model.enqueue(next, group: group, priority: priority)
                let mayAsk = Bool.random(using: &random)
                if mayAsk, queue.admitAtOnce(next, group: group) {
                    #expect(expected == [next])
                } else {
                    #expect(queue.enqueue(next, group: group, priority: priority) == expected)
                    // With an allowance no entry is admitted at once, because each admission is counted.
                    #expect(!mayAsk || expected != [next] || queue.allowance != nil)
                }
                next += 1
            case 9..<15: #expect(queue.leave(id) == model.leave(id))
            case 15..<18: #expect(queue.reprioritise(id, priority) == model.reprioritise(id, priority))
            case 18 where Bool.random(using: &random):
                let limit = Int.random(in: 0...3, using: &random)
                model.limitPerGroup = limit
                #expect(queue.setLimitPerGroup(limit) == model.admit())
            case 18 where Bool.random(using: &random):
                let allowance = Bool.random(using: &random) ? nil : Int.random(in: 0...3, using: &random)
                model.allowance = allowance
                #expect(queue.setAllowance(allowance) == model.admit())
            case 18:
                let limit = Int.random(in: 0...6, using: &random)
                model.limit = limit
                #expect(queue.setLimit(limit) == model.admit())
            default:
                model.isSuspended = Bool.random(using: &random)
                #expect(queue.setSuspended(model.isSuspended) == model.admit())
            }
            #expect(queue.runningCount == model.running.count)
            #expect(queue.waitingCount == model.waiting.count)
        }
        #expect(next > 200)
    }

    private struct Model {
        struct Entry {
            let id: Int
            let group: String
            var priority: LoadPriority
        }

        var limit: Int
        var limitPerGroup: Int
        var allowance: Int?
        let order: PriorityQueue<Int, String>.Order
        var isSuspended = false
        /// In order of arrival.
        var waiting: [Entry] = []
        var running: [Entry] = []

        mutating func enqueue(_ id: Int, group: String, priority: LoadPriority) -> [Int] {
            waiting.append(Entry(id: id, group: group, priority: priority))
            return admit()
        }

        mutating func leave(_ id: Int) -> [Int] {
            waiting.removeAll { $0.id == id }
            let before = running.count
            running.removeAll { $0.id == id }
            return running.count < before ? admit() : []
        }

        mutating func reprioritise(_ id: Int, _ priority: LoadPriority) -> [Int] {
            guard let index = waiting.firstIndex(where: { $0.id == id }), waiting[index].priority != priority else {
                return []
            }
            var entry = waiting.remove(at: index)
            entry.priority = priority
            waiting.append(entry)
            return admit()
        }

        mutating func admit() -> [Int] {
            var admitted: [Int] = []
            while !isSuspended, running.count < limit, allowance != 0 {
                let eligible = waiting.filter { entry in
                    running.filter { $0.group == entry.group }.count < limitPerGroup
                }
                let best = eligible.filter { $0.priority == eligible.map(\.priority).max() }
                guard let next = order == .firstInFirstOut ? best.first : best.last else { break }
                waiting.removeAll { $0.id == next.id }
                running.append(next)
                admitted.append(next.id)
                allowance = allowance.map { $0 - 1 }
            }
            return admitted
        }
    }
}
