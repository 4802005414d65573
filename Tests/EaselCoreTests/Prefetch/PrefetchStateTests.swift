import Testing
import EaselTesting

@testable import EaselCore

@Suite("Prefetch state")
struct PrefetchStateTests {
    private typealias Load = PrefetchState.Load
    private var state = PrefetchState(limit: 2)

    private func starts(_ actions: [PrefetchState.Action]) -> [Load] {
        actions.compactMap { if case .start(let load, _) = $0 { load } else { nil } }
    }

    @Test("the limit of running loads holds, and each end starts the next load (X185, B76)")
    mutating func limit() {
        #expect(starts(state.begin(1, weights: [1, 1, 1, 1], .low)).map(\.place) == [0, 1])
        #expect(starts(state.end(Load(token: 1, place: 1), .finished)).map(\.place) == [2])
        #expect(state.runningCount == 2)
    }

    @Test("a raised limit starts loads at once, a lowered one keeps running loads, and the minimum is 1")
    mutating func liveLimit() {
        _ = state.begin(1, weights: [1, 1, 1, 1], .low)
        #expect(starts(state.setLimit(3)).map(\.place) == [2])
        #expect(state.setLimit(0).isEmpty)
        #expect(state.limit == 1)
        #expect(state.runningCount == 3)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).isEmpty)
    }

    @Test("an empty prefetch ends at once (X186)")
    mutating func empty() {
        #expect(state.begin(1, weights: [], .low) == [.end(1, PrefetchProgress(), isCancelled: false)])
    }

    @Test("a load counts for each of its equal requests (B74)")
    mutating func weights() {
        _ = state.begin(1, weights: [3, 1], .low)
        let actions = state.end(Load(token: 1, place: 0), .skipped)
        #expect(actions == [.report(1, PrefetchProgress(skipped: 3, total: 4))])
    }

    @Test("a failure does not stop the other loads, and one end follows the last")
    mutating func failure() {
        _ = state.begin(1, weights: [1, 1], .low)
        _ = state.end(Load(token: 1, place: 0), .failed)
        let all = PrefetchProgress(finished: 1, failed: 1, total: 2)
        #expect(
            state.end(Load(token: 1, place: 1), .finished) == [.report(1, all), .end(1, all, isCancelled: false)])
        #expect(state.end(Load(token: 1, place: 1), .finished).isEmpty)
    }

    @Test("cancelling ends at once and cancels running loads, which keep their slots until they have ended (X188)")
    mutating func cancel() {
        _ = state.begin(1, weights: [1, 1, 1], .low)
        _ = state.begin(2, weights: [1], .low)
        let progress = PrefetchProgress(total: 3)
        let loads = [Load(token: 1, place: 0), Load(token: 1, place: 1)]
        #expect(
            state.cancel(1) == [.end(1, progress, isCancelled: true), .cancel(loads[0]), .cancel(loads[1])])
        #expect(state.cancel(1).isEmpty)
        #expect(state.end(loads[0], .failed) == [.start(Load(token: 2, place: 0), .low)])
    }

    @Test("while paused no load starts, and running loads end")
    mutating func pause() {
        _ = state.begin(1, weights: [1, 1, 1], .low)
        #expect(state.setPaused(true).isEmpty)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).isEmpty)
        #expect(state.begin(2, weights: [1], .high).isEmpty)
        #expect(starts(state.setPaused(false)) == [Load(token: 2, place: 0)])
    }

    @Test("a prefetch with higher priority runs first, and its running loads change priority (B75)")
    mutating func priority() {
        state = PrefetchState(limit: 1)
        _ = state.begin(1, weights: [1, 1], .low)
        _ = state.begin(2, weights: [1, 1], .low)
        #expect(state.setPriority(2, .high).isEmpty)
        #expect(state.setPriority(1, .normal) == [.setPriority(Load(token: 1, place: 0), .normal)])
        #expect(state.setPriority(1, .normal).isEmpty)
        let next = state.end(Load(token: 1, place: 0), .finished)
        #expect(next.contains(.start(Load(token: 2, place: 0), .high)))
    }

    @Test("prefetches of equal priority run in the order of their start")
    mutating func order() {
        state = PrefetchState(limit: 1)
        _ = state.begin(1, weights: [1], .high)
        _ = state.begin(2, weights: [1], .low)
        _ = state.begin(3, weights: [1], .normal)
        _ = state.setPriority(2, .normal)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).map(\.token) == [2])
    }
}

@Suite("Prefetch state: random events")
struct PrefetchStateModelTests {
    @Test(
        "every prefetch ends once, every load starts at most once, and the limit holds", arguments: 1...20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var model = Model()
        for _ in 0..<600 {
            let token = Int.random(in: 1...(model.begun.count + 2), using: &random)
            let priority = LoadPriority.allCases.randomElement(using: &random) ?? .low
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<3:
                let weights = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    Int.random(in: 1...3, using: &random)
                }
                model.begin(weights, priority)
            case 3: model.follow(model.state.cancel(token))
            case 4: model.follow(model.state.setPriority(token, priority))
            case 5: model.setLimit(Int.random(in: 1...5, using: &random))
            case 6: model.follow(model.state.setPaused(Bool.random(using: &random)))
            default: model.endOne(&random)
            }
            model.check()
        }
        model.follow(model.state.setPaused(false))
        while !model.running.isEmpty { model.endOne(&random) }
        model.check()
        #expect(model.ended == Set(model.begun.keys))
        #expect(model.state.tokens.isEmpty)
    }

    /// A model that follows the actions step by step.
    private struct Model {
        var state = PrefetchState(limit: 3)
        var begun: [Int: [Int]] = [:]
        var counts: [Int: PrefetchProgress] = [:]
        var ended: Set<Int> = []
        var running: Set<PrefetchState.Load> = []
        var started: Set<PrefetchState.Load> = []
        /// The limit may be lowered below the number of running loads, and then no load starts.
        var mayRun = 3

        mutating func begin(_ weights: [Int], _ priority: LoadPriority) {
            let token = state.makeToken()
            begun[token] = weights
            counts[token] = PrefetchProgress(total: weights.reduce(0, +))
            follow(state.begin(token, weights: weights, priority))
        }

        mutating func setLimit(_ limit: Int) {
            mayRun = max(limit, running.count)
            follow(state.setLimit(limit))
        }

        mutating func endOne(_ random: inout SeededGenerator) {
            let loads = running.sorted { ($0.token, $0.place) < ($1.token, $1.place) }
            guard let load = loads.randomElement(using: &random) else { return }
            let outcome = PrefetchState.Outcome.allCases.randomElement(using: &random) ?? .finished
            running.remove(load)
            mayRun = max(state.limit, running.count)
            let isEnded = ended.contains(load.token)
            let weight = begun[load.token]?[load.place] ?? 0
            if !isEnded {
                switch outcome {
                case .finished: counts[load.token]?.finished += weight
                case .skipped: counts[load.token]?.skipped += weight
                case .failed: counts[load.token]?.failed += weight
                }
            }
            let actions = state.end(load, outcome)
            let reports = actions.filter { if case .report = $0 { true } else { false } }
            #expect(reports.count == (isEnded ? 0 : 1))
            follow(actions)
            #expect(state.end(load, outcome).isEmpty)
        }

        mutating func follow(_ actions: [PrefetchState.Action]) {
            for action in actions {
                switch action {
                case .start(let load, let priority):
                    #expect(started.insert(load).inserted)
                    #expect(!ended.contains(load.token) && !state.isPaused)
                    #expect(state.priority(of: load.token) == priority)
                    running.insert(load)
                case .setPriority(let load, _): #expect(running.contains(load))
                case .cancel(let load): #expect(running.contains(load) && ended.contains(load.token))
                case .report(let token, let progress):
                    #expect(!ended.contains(token) && progress == counts[token])
                case .end(let token, let progress, let isCancelled):
                    #expect(ended.insert(token).inserted)
                    #expect(progress == counts[token])
                    #expect(isCancelled == (progress.completed < progress.total))
                }
            }
        }

        func check() {
            #expect(state.runningCount == running.count && running.count <= mayRun)
            #expect(Set(state.tokens) == Set(begun.keys).subtracting(ended))
            // No load waits while a slot is free.
            guard !state.isPaused, running.count < state.limit else { return }
            for token in state.tokens {
                #expect(started.filter { $0.token == token }.count == begun[token]?.count)
            }
        }
    }
}
