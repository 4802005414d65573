import EaselTesting
import Testing

@testable import EaselCore

@Suite("Sharing state: who waits for what")
struct SharingStateTests {
    private var state = SharingState<String, Int>()

    @Test("the first to want a thing begins the work, others join it (B55)")
    mutating func join() {
        #expect(words(state.join(1, "a", priority: .normal)) == ["start 1 led by 1"])
        #expect(words(state.join(2, "a", priority: .normal)).isEmpty)
        #expect(words(state.join(3, "b", priority: .normal)) == ["start 2 led by 3"])
        #expect(state.count == 2)
    }

    @Test("success reaches all who wait, in the order in which they came, and ends the work")
    mutating func success() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.finish(1, .success(7))) == ["finish success 7 for [1, 2, 3]"])
        #expect(state.count == 0)
        #expect(words(state.finish(1, .success(8))).isEmpty)
        #expect(words(state.leave(1)).isEmpty)
    }

    @Test("who leaves is cancelled alone; the last one takes the work along (S164, B59)")
    mutating func leave() {
        for subscriber in 1...2 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.leave(2)) == ["finish cancelled for [2]"])
        #expect(words(state.leave(2)).isEmpty)
        #expect(state.count == 1)
        #expect(words(state.leave(1)) == ["finish cancelled for [1]", "cancel 1"])
        #expect(state.count == 0)
        #expect(words(state.leave(99)).isEmpty)
    }

    @Test("the leader may leave: the followers keep the work (B63)")
    mutating func leaderLeaves() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.leave(1)) == ["finish cancelled for [1]"])
        #expect(words(state.finish(1, .success(7))) == ["finish success 7 for [2, 3]"])
    }

    @Test("a late joiner learns what the work has reached: the last progress and the last preview (B61)")
    mutating func lateJoiner() throws {
        _ = state.join(1, "a", priority: .normal)
        _ = state.note(.progress(LoadProgress(received: 3, expected: 9)), of: 1)
        _ = state.note(.preview(try preview(width: 2)), of: 1)
        _ = state.note(.preview(try preview(width: 4)), of: 1)
        _ = state.note(.progress(LoadProgress(received: 6, expected: 9)), of: 1)
        #expect(words(state.join(2, "a", priority: .normal)) == ["progress 6 of 9 to [2]", "preview of 4 to [2]"])
    }

    @Test("who joins learns that a server has been asked")
    mutating func joinsAsked() {
        _ = state.join(1, "a", priority: .normal)
        #expect(state.ask(1) == [1])
        #expect(words(state.join(2, "a", priority: .normal)) == ["asked to 2"])
    }

    @Test("nobody joins work that is given up because none of those who wait wants a server to be asked")
    mutating func givenUp() {
        _ = state.join(1, "a", priority: .normal)
        let isGivenUp = state.giveUp(1, wantedByNoneOf: state.ask(1))
        #expect(isGivenUp)
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
        #expect(words(state.finish(1, .failure(.cancelled))) == ["finish cancelled for [1]"])
    }

    @Test("work is not given up where somebody has joined meanwhile, who has to be asked too")
    mutating func notGivenUp() {
        _ = state.join(1, "a", priority: .normal)
        let asked = state.ask(1)
        _ = state.join(2, "a", priority: .normal)
        let isGivenUp = state.giveUp(1, wantedByNoneOf: asked)
        #expect(!isGivenUp)
        #expect(state.ask(1) == [1, 2])
    }

    @Test("news reach all who wait now")
    mutating func updates() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        _ = state.leave(2)
        let news = LoadUpdate.progress(LoadProgress(received: 1, expected: nil))
        #expect(state.note(news, of: 1) == [1, 3])
        _ = state.finish(1, .success(7))
        #expect(state.note(news, of: 1).isEmpty)
    }

    @Test("the work has the highest priority of those who wait (B60)")
    mutating func priorities() {
        _ = state.join(1, "a", priority: .low)
        #expect(state.priority(of: 1) == .low)
        #expect(words(state.join(2, "a", priority: .high)) == ["change 1"])
        #expect(words(state.join(3, "a", priority: .normal)).isEmpty)
        #expect(state.priority(of: 1) == .high)
        #expect(words(state.reprioritise(1, .normal)).isEmpty)
        #expect(words(state.reprioritise(2, .low)) == ["change 1"])
        #expect(state.priority(of: 1) == .normal)
        #expect(words(state.leave(3)) == ["finish cancelled for [3]"])
        #expect(words(state.leave(1)) == ["finish cancelled for [1]", "change 1"])
        #expect(state.priority(of: 1) == .low)
        #expect(words(state.reprioritise(99, .high)).isEmpty)
        #expect(state.priority(of: 99) == nil)
    }

    @Test(
        "where what may pass failed, its leader has the error, and the rest one new try, led by the first of them (B62)"
    )
    mutating func retriedOnce() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        let failure = Result<Int, ImageError>.failure(.connectionLost(received: 1, expected: 2))
        #expect(words(state.finish(1, failure)) == ["finish connectionLost for [1]", "start 2 led by 2"])
        #expect(words(state.join(4, "a", priority: .normal)).isEmpty)
        #expect(words(state.finish(2, failure)) == ["finish connectionLost for [2, 3, 4]"])
        #expect(state.count == 0)
    }

    @Test("a new try begins without the old one's news, and with the priority of those who are left")
    mutating func retriedAfresh() {
        for (subscriber, priority) in [(1, LoadPriority.low), (2, .low), (3, .high)] {
            _ = state.join(subscriber, "a", priority: priority)
        }
        _ = state.note(.progress(LoadProgress(received: 3, expected: 9)), of: 1)
        _ = state.finish(1, .failure(.timedOut(.idle)))
        #expect(state.priority(of: 2) == .high)
        #expect(words(state.join(4, "a", priority: .low)).isEmpty)
    }

    @Test("who waits alone, and what stays failed, is not tried anew")
    mutating func notRetried() {
        _ = state.join(1, "a", priority: .normal)
        #expect(words(state.finish(1, .failure(.timedOut(.idle)))) == ["finish timedOut for [1]"])
        for subscriber in 2...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.finish(2, .failure(.status(404)))) == ["finish status for [2, 3]"])
    }

    @Test("old work that ends late does not touch its successor under the same key (X126, X138 are not copied, S145)")
    mutating func identity() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.leave(1)
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
        #expect(state.note(.progress(LoadProgress(received: 1, expected: 2)), of: 1).isEmpty)
        #expect(words(state.finish(1, .success(6))).isEmpty)
        #expect(words(state.finish(1, .failure(.cancelled))).isEmpty)
        #expect(state.count == 1)
        #expect(words(state.finish(2, .success(7))) == ["finish success 7 for [2]"])
    }

    @Test("who comes after the end begins anew (B64)")
    mutating func afterEnd() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.finish(1, .success(7))
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
    }

    private func preview(width: Int) throws -> DecodedImage {
        try TestImage.gradient(width, 1).image()
    }

    private func words(_ actions: [SharingState<String, Int>.Action]) -> [String] { actions.map(\.words) }
}

extension SharingState<String, Int>.Action {
    /// The action in a few words, to compare.
    var words: String {
        switch self {
        case .start(let id, let leader): "start \(id) led by \(leader)"
        case .look(let look): "look at \(look.id)"
        case .cancel(let id): "cancel \(id)"
        case .change(let id): "change \(id)"
        case .tellAsked(let subscriber): "asked to \(subscriber)"
        case .update(.progress(let progress), let subscribers):
            "progress \(progress.received) of \(progress.expected.map(String.init) ?? "?") to \(subscribers)"
        case .update(.preview(let preview), let subscribers): "preview of \(preview.size.width) to \(subscribers)"
        case .update(.cached, let subscribers): "cached to \(subscribers)"
        case .update(.arriving(let file), let subscribers): "file of \(file.count) to \(subscribers)"
        case .finish(.success(let value), let subscribers): "finish success \(value) for \(subscribers)"
        case .finish(.failure(let error), let subscribers): "finish \(error.code) for \(subscribers)"
        }
    }
}

// What most of these tests are about is the priority alone.
extension SharingState {
    mutating func join(_ subscriber: Subscriber, _ key: Key, priority: LoadPriority) -> [Action] {
        join(subscriber, key, demand: LoadDemand(priority: priority))
    }

    mutating func reprioritise(_ subscriber: Subscriber, _ priority: LoadPriority) -> [Action] {
        change(subscriber, LoadDemand(priority: priority))
    }

    func priority(of id: WorkID) -> LoadPriority? { demand(of: id)?.priority }
}
