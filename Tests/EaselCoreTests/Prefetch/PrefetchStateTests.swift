import Testing

@testable import EaselCore

@Suite("Prefetch state")
struct PrefetchStateTests {
    private typealias Load = PrefetchState.Load
    private var state = PrefetchState(limit: 2)

    private func starts(_ actions: [PrefetchState.Action]) -> [Load] {
        actions.compactMap { if case .start(let load, _) = $0 { load } else { nil } }
    }

    @Test("no more loads than the limit are under way, and each that ends makes place for the next (X185, B76)")
    mutating func limit() {
        #expect(starts(state.begin(1, weights: [1, 1, 1, 1], .low)).map(\.place) == [0, 1])
        #expect(starts(state.end(Load(token: 1, place: 1), .finished)).map(\.place) == [2])
        #expect(state.runningCount == 2)
    }

    @Test("the limit is live: a higher one starts at once, a lower one lets go on what is under way; it is at least 1")
    mutating func liveLimit() {
        _ = state.begin(1, weights: [1, 1, 1, 1], .low)
        #expect(starts(state.setLimit(3)).map(\.place) == [2])
        #expect(state.setLimit(0).isEmpty)
        #expect(state.limit == 1)
        #expect(state.runningCount == 3)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).isEmpty)
    }

    @Test("an empty one ends at once (X186)")
    mutating func empty() {
        #expect(state.begin(1, weights: [], .low) == [.end(1, PrefetchProgress(), isCancelled: false)])
    }

    @Test("a load counts for each of the equal requests that it does for (B74)")
    mutating func weights() {
        _ = state.begin(1, weights: [3, 1], .low)
        let actions = state.end(Load(token: 1, place: 0), .skipped)
        #expect(actions == [.report(1, PrefetchProgress(skipped: 3, total: 4))])
    }

    @Test("a failure does not stop the rest, and the end comes once, behind the last")
    mutating func failure() {
        _ = state.begin(1, weights: [1, 1], .low)
        _ = state.end(Load(token: 1, place: 0), .failed)
        let all = PrefetchProgress(finished: 1, failed: 1, total: 2)
        #expect(
            state.end(Load(token: 1, place: 1), .finished) == [.report(1, all), .end(1, all, isCancelled: false)])
        #expect(state.end(Load(token: 1, place: 1), .finished).isEmpty)
    }

    @Test("cancelling ends at once and cancels what is under way, which keeps its place until it has ended (X188)")
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

    @Test("while paused nothing starts, and what is under way ends")
    mutating func pause() {
        _ = state.begin(1, weights: [1, 1, 1], .low)
        #expect(state.setPaused(true).isEmpty)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).isEmpty)
        #expect(state.begin(2, weights: [1], .high).isEmpty)
        #expect(starts(state.setPaused(false)) == [Load(token: 2, place: 0)])
    }

    @Test("a more urgent one goes first, and its loads under way are told (B75)")
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

    @Test("of those as urgent as each other the one that was begun first goes first")
    mutating func order() {
        state = PrefetchState(limit: 1)
        _ = state.begin(1, weights: [1], .high)
        _ = state.begin(2, weights: [1], .low)
        _ = state.begin(3, weights: [1], .normal)
        _ = state.setPriority(2, .normal)
        #expect(starts(state.end(Load(token: 1, place: 0), .finished)).map(\.token) == [2])
    }
}
