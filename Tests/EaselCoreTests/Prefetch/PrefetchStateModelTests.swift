import EaselTesting
import Testing

@testable import EaselCore

@Suite("Prefetch state: random events")
struct PrefetchStateModelTests {
    @Test(
        "every prefetch ends exactly once, every load starts at most once, and no more run than may", arguments: 1...20)
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

    /// What the actions say, followed step by step.
    private struct Model {
        var state = PrefetchState(limit: 3)
        var begun: [Int: [Int]] = [:]
        var counts: [Int: PrefetchProgress] = [:]
        var ended: Set<Int> = []
        var running: Set<PrefetchState.Load> = []
        var started: Set<PrefetchState.Load> = []
        /// The limit may be lowered below what runs; then nothing starts.
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
            // Nothing waits while there is a place.
            guard !state.isPaused, running.count < state.limit else { return }
            for token in state.tokens {
                #expect(started.filter { $0.token == token }.count == begun[token]?.count)
            }
        }
    }
}
