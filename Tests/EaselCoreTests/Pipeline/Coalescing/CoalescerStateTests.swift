import EaselTesting
import Testing

@testable import EaselCore

@Suite("Coalescer state: subscribers")
struct CoalescerStateTests {
    private var state = CoalescerState<String, Int>()

    @Test("the first subscriber of a key starts the work, and others join it (B55)")
    mutating func join() {
        #expect(words(state.join(1, "a", priority: .normal)) == ["start 1 led by 1"])
        #expect(words(state.join(2, "a", priority: .normal)).isEmpty)
        #expect(words(state.join(3, "b", priority: .normal)) == ["start 2 led by 3"])
        #expect(state.count == 2)
    }

    @Test("success ends the work and reaches every subscriber in its order of arrival")
    mutating func success() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.finish(1, .success(7))) == ["finish success 7 for [1, 2, 3]"])
        #expect(state.count == 0)
        #expect(words(state.finish(1, .success(8))).isEmpty)
        #expect(words(state.leave(1)).isEmpty)
    }

    @Test("a subscriber that leaves is cancelled, and the last one cancels the work (S164, B59)")
    mutating func leave() {
        for subscriber in 1...2 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.leave(2)) == ["finish cancelled for [2]"])
        #expect(words(state.leave(2)).isEmpty)
        #expect(state.count == 1)
        #expect(words(state.leave(1)) == ["finish cancelled for [1]", "cancel 1"])
        #expect(state.count == 0)
        #expect(words(state.leave(99)).isEmpty)
    }

    @Test("the leader may leave, and the followers keep the work (B63)")
    mutating func leaderLeaves() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.leave(1)) == ["finish cancelled for [1]"])
        #expect(words(state.finish(1, .success(7))) == ["finish success 7 for [2, 3]"])
    }

    @Test("a late subscriber receives the last progress and the last preview (B61)")
    mutating func lateJoiner() throws {
        _ = state.join(1, "a", priority: .normal)
        _ = state.didReport(.progress(LoadProgress(received: 3, expected: 9)), from: 1)
        _ = state.didReport(.preview(try preview(width: 2)), from: 1)
        _ = state.didReport(.preview(try preview(width: 4)), from: 1)
        _ = state.didReport(.progress(LoadProgress(received: 6, expected: 9)), from: 1)
        #expect(words(state.join(2, "a", priority: .normal)) == ["progress 6 of 9 to [2]", "preview of 4 to [2]"])
    }

    @Test("a late subscriber is notified that a request was sent")
    mutating func joinsAsked() {
        _ = state.join(1, "a", priority: .normal)
        #expect(state.willSendRequest(1) == [1])
        #expect(words(state.join(2, "a", priority: .normal)) == ["asked to 2"])
    }

    @Test("no subscriber joins work that is cancelled because none needs the request")
    mutating func refused() {
        _ = state.join(1, "a", priority: .normal)
        let isRefused = state.closeIfUnneeded(1, refusedBy: state.willSendRequest(1))
        #expect(isRefused)
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
        #expect(words(state.finish(1, .failure(.cancelled))) == ["finish cancelled for [1]"])
    }

    @Test("work is not cancelled if a new subscriber has joined that has to be queried")
    mutating func notGivenUp() {
        _ = state.join(1, "a", priority: .normal)
        let willSend = state.willSendRequest(1)
        _ = state.join(2, "a", priority: .normal)
        let isRefused = state.closeIfUnneeded(1, refusedBy: willSend)
        #expect(!isRefused)
        #expect(state.willSendRequest(1) == [1, 2])
    }

    @Test("updates reach all current subscribers")
    mutating func updates() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        _ = state.leave(2)
        let update = LoadUpdate.progress(LoadProgress(received: 1, expected: nil))
        #expect(state.didReport(update, from: 1) == [1, 3])
        _ = state.finish(1, .success(7))
        #expect(state.didReport(update, from: 1).isEmpty)
    }

    @Test("the work has the highest priority of its subscribers (B60)")
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
        "a temporary failure finishes the leader, and the followers share one retry led by the first of them (B62)"
    )
    mutating func retriedOnce() {
        for subscriber in 1...3 { _ = state.join(subscriber, "a", priority: .normal) }
        let failure = Result<Int, ImageError>.failure(.connectionLost(received: 1, expected: 2))
        #expect(words(state.finish(1, failure)) == ["finish connectionLost for [1]", "start 2 led by 2"])
        #expect(words(state.join(4, "a", priority: .normal)).isEmpty)
        #expect(words(state.finish(2, failure)) == ["finish connectionLost for [2, 3, 4]"])
        #expect(state.count == 0)
    }

    @Test("a retry starts without earlier updates, at the highest priority of the remaining subscribers")
    mutating func retriedAfresh() {
        for (subscriber, priority) in [(1, LoadPriority.low), (2, .low), (3, .high)] {
            _ = state.join(subscriber, "a", priority: priority)
        }
        _ = state.didReport(.progress(LoadProgress(received: 3, expected: 9)), from: 1)
        _ = state.finish(1, .failure(.timedOut(.idle)))
        #expect(state.priority(of: 2) == .high)
        #expect(words(state.join(4, "a", priority: .low)).isEmpty)
    }

    @Test("work with a single subscriber or a permanent failure is not retried")
    mutating func notRetried() {
        _ = state.join(1, "a", priority: .normal)
        #expect(words(state.finish(1, .failure(.timedOut(.idle)))) == ["finish timedOut for [1]"])
        for subscriber in 2...3 { _ = state.join(subscriber, "a", priority: .normal) }
        #expect(words(state.finish(2, .failure(.status(404)))) == ["finish status for [2, 3]"])
    }

    @Test("cancelled work that ends late does not affect newer work of its key (X126, X138 are not copied, S145)")
    mutating func identity() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.leave(1)
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
        #expect(state.didReport(.progress(LoadProgress(received: 1, expected: 2)), from: 1).isEmpty)
        #expect(words(state.finish(1, .success(6))).isEmpty)
        #expect(words(state.finish(1, .failure(.cancelled))).isEmpty)
        #expect(state.count == 1)
        #expect(words(state.finish(2, .success(7))) == ["finish success 7 for [2]"])
    }

    @Test("a subscriber that arrives after the end starts new work (B64)")
    mutating func afterEnd() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.finish(1, .success(7))
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
    }

    @Test("a finished value is delivered to subscribers that accept it, until its last lease ends")
    mutating func leases() {
        for subscriber in 1...2 { _ = state.join(subscriber, "a", priority: .normal) }
        _ = state.finish(1, .success(7))
        #expect(words(joinFinished(3)) == ["answer 3 with 7 of 1"])
        for _ in 1...2 { #expect(words(state.endLease(of: 1)).isEmpty) }
        #expect(words(joinFinished(4)) == ["answer 4 with 7 of 1"])
        #expect(words(state.endLease(of: 1)).isEmpty)
        #expect(words(state.endLease(of: 1)) == ["release 7"])
        #expect(words(joinFinished(5)) == ["start 2 led by 5"])
        #expect(state.finishedCount == 0)
    }

    @Test("an operation in flight is joined rather than a finished value")
    mutating func inFlightFirst() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.finish(1, .success(7))
        #expect(words(state.join(2, "a", priority: .normal)) == ["start 2 led by 2"])
        #expect(words(joinFinished(3)).isEmpty)
    }

    @Test("a newer value replaces an older one and ends its leases")
    mutating func replacedValue() {
        _ = state.join(1, "a", priority: .normal)
        _ = state.finish(1, .success(7))
        let (id, actions) = state.publish(8, for: "a")
        #expect(words(actions) == ["release 7"])
        #expect(words(state.endLease(of: 1)).isEmpty)
        #expect(words(joinFinished(2)) == ["answer 2 with 8 of \(id)"])
        #expect(words(state.endLease(of: id)).isEmpty)
        #expect(words(state.endLease(of: id)) == ["release 8"])
    }

    private mutating func joinFinished(_ subscriber: Int) -> [CoalescerState<String, Int>.Action] {
        state.join(subscriber, "a", demand: LoadDemand(priority: .normal), joinsFinished: true)
    }

    private func preview(width: Int) throws -> DecodedImage {
        try TestImage.gradient(width, 1).image()
    }

    private func words(_ actions: [CoalescerState<String, Int>.Action]) -> [String] { actions.map(\.words) }
}

extension CoalescerState<String, Int>.Action {
    /// A short description for comparison.
    var words: String {
        switch self {
        case .start(let id, let leader): "start \(id) led by \(leader)"
        case .probe(let id, _): "probe \(id)"
        case .cancel(let id): "cancel \(id)"
        case .updateDemand(let id): "change \(id)"
        case .announceRequest(let subscriber): "asked to \(subscriber)"
        case .deliver(.progress(let progress), let subscribers):
            "progress \(progress.received) of \(progress.expected.map(String.init) ?? "?") to \(subscribers)"
        case .deliver(.preview(let preview), let subscribers): "preview of \(preview.size.width) to \(subscribers)"
        case .deliver(.cached, let subscribers): "cached to \(subscribers)"
        case .deliver(.arriving(let file), let subscribers): "file of \(file.count) to \(subscribers)"
        case .finish(_, .success(let value), let subscribers): "finish success \(value) for \(subscribers)"
        case .finish(_, .failure(let error), let subscribers): "finish \(error.code) for \(subscribers)"
        case .answer(let id, let value, let subscriber): "answer \(subscriber) with \(value) of \(id)"
        case .release(let value): "release \(value)"
        }
    }
}

// Shortcuts for tests that concern only the priority, or one subscriber.
extension CoalescerState {
    mutating func join(_ subscriber: Subscriber, _ key: Key, priority: LoadPriority) -> [Action] {
        join(subscriber, key, demand: LoadDemand(priority: priority))
    }

    mutating func reprioritise(_ subscriber: Subscriber, _ priority: LoadPriority) -> [Action] {
        setDemand(LoadDemand(priority: priority), of: subscriber)
    }

    mutating func leave(_ subscriber: Subscriber) -> [Action] { leave([subscriber]) }

    func priority(of id: EntryID) -> LoadPriority? { demand(of: id)?.priority }
}
