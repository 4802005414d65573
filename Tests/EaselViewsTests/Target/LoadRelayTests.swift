import EaselTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("LoadRelay", .timeLimit(.minutes(1)))
@MainActor
struct LoadRelayTests {
    private func task() throws -> ImageTask { ImageTask(try ManagerFixture.request()) }

    @Test("earlier events are delivered in a later turn, and later ones in order")
    func order() async throws {
        let task = try task()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        var events: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { events.append($0.name) }
        relay.begin()
        #expect(events.isEmpty)
        try await until { events == ["1"] }
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        task.didReceive(.progress(LoadProgress(received: 3, expected: 9)))
        task.finish(.failure(.notCached))
        #expect(events == ["1"])
        try await until { events.count == 3 }
        #expect(events == ["1", "3", "end"])
        withExtendedLifetime(relay) {}
    }

    @Test("without progress delivery the progress can be read, and is delivered with the end")
    func unheard() async throws {
        let task = try task()
        var events: [String] = []
        let relay = LoadRelay(task, deliversProgress: false) { events.append($0.name) }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        await mainTurns()
        #expect(events.isEmpty)
        #expect(relay.progress?.received == 1)
        task.finish(.failure(.notCached))
        try await until { events == ["1", "end"] }
        #expect(relay.progress == nil)
    }

    @Test("progress from many threads is coalesced, and the end is delivered last")
    func manyThreads() async throws {
        let task = try task()
        var events: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { events.append($0.name) }
        relay.begin()
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask { @Sendable in
                    for step in 0..<200 {
                        task.didReceive(.progress(LoadProgress(received: number * 1_000 + step, expected: nil)))
                    }
                }
            }
        }
        task.finish(.failure(.notCached))
        try await until { events.last == "end" }
        #expect(events.filter { $0 == "end" }.count == 1)
        #expect(events.count <= 1_601)
        withExtendedLifetime(relay) {}
    }

    @Test("deallocating the relay cancels the load and delivers nothing")
    func letGo() async throws {
        let task = try task()
        var events = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in events += 1 }
        relay?.begin()
        relay = nil
        #expect(task.isCancelled)
        await mainTurns()
        #expect(events == 0)
    }

    @Test(
        "a released load that has started its transfer continues with low priority and delivers nothing",
        arguments: [true, false])
    func released(hasBegunToArrive: Bool) async throws {
        let task = try task()
        var events = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in events += 1 }
        if hasBegunToArrive {
            task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        } else {
            _ = task.willSendRequest()
        }
        relay?.begin()
        relay?.release()
        relay?.cancel()
        relay = nil
        #expect(!task.isCancelled)
        #expect(task.priority == .low)
        await mainTurns()
        #expect(events == 0)
    }

    @Test("a released load is cancelled if it has not sent a request, and sends none")
    func releasedEarly() throws {
        let task = try task()
        let relay = LoadRelay(task, deliversProgress: true) { _ in }
        task.didReceive(.progress(LoadProgress(received: 0, expected: 9)))
        relay.release()
        #expect(task.isCancelled)
        #expect(!task.willSendRequest())
    }

    @Test("a cancelled relay delivers nothing")
    func cancelled() async throws {
        let task = try task()
        var events = 0
        let relay = LoadRelay(task, deliversProgress: true) { _ in events += 1 }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        relay.cancel()
        #expect(task.isCancelled)
        await mainTurns()
        #expect(events == 0)
    }
}

extension LoadEvent {
    fileprivate var name: String {
        switch self {
        case .progress(let progress): "\(progress.received)"
        case .cached: "cached"
        case .preview: "preview"
        case .finished: "end"
        }
    }
}

@Suite("LoadInbox")
struct LoadInboxTests {
    private func progress(_ received: Int) -> LoadEvent { .progress(LoadProgress(received: received, expected: 10)) }
    private let end = LoadEvent.finished(.failure(.cancelled))

    @Test("one hop delivers all pending events")
    func hops() {
        var inbox = LoadInbox()
        let first = (inbox.put(progress(1)), inbox.take().count)
        #expect(first == (true, 1))
        let second = (inbox.put(progress(2)), inbox.put(end), inbox.take().count)
        #expect(second == (true, false, 2))
        let third = inbox.put(end)
        #expect(third)
    }

    @Test("only the newest progress is delivered, and the end is last and never lost")
    func order() {
        var inbox = LoadInbox()
        for received in 1...100 { _ = inbox.put(progress(received)) }
        _ = inbox.put(end)
        let events = inbox.take()
        guard events.count == 2, case .progress(let progress) = events[0], case .finished = events[1] else {
            Issue.record("\(events)")
            return
        }
        #expect(progress.received == 100)
        let remaining = inbox.take()
        #expect(remaining.isEmpty)
    }

    @Test("without progress delivery, progress causes no hop, can be read, and comes with the next event")
    func unheard() {
        var inbox = LoadInbox(deliversProgress: false)
        let isSent = (inbox.put(progress(1)), inbox.put(progress(2)))
        #expect(isSent == (false, false))
        #expect(inbox.progress == LoadProgress(received: 2, expected: 10))
        let needsDelivery = inbox.put(end)
        #expect(needsDelivery)
        let events = inbox.take()
        guard events.count == 2, case .progress = events[0], case .finished = events[1] else {
            Issue.record("\(events)")
            return
        }
        #expect(inbox.progress == nil)
    }

    @Test("enabling progress delivery delivers the current progress once")
    func laterEvents() {
        var inbox = LoadInbox(deliversProgress: false)
        let before = inbox.deliverProgress()
        #expect(!before)
        let needsFirstDelivery = inbox.put(progress(1))
        #expect(needsFirstDelivery)
        var late = LoadInbox(deliversProgress: false)
        _ = late.put(progress(1))
        let isSent = (late.deliverProgress(), late.deliverProgress(), late.put(progress(2)), late.take().count)
        #expect(isSent == (true, false, false, 1))
        let next = late.put(progress(3))
        #expect(next)
    }

    @Test("a closed inbox accepts no event")
    func closed() {
        var inbox = LoadInbox()
        _ = inbox.put(progress(1))
        _ = inbox.close()
        let left = inbox.take().count
        let isSent = inbox.put(end)
        let late = inbox.take().count
        #expect((left, isSent, late) == (0, false, 0))
    }

    @Test("an inbox is closed once, and a second close returns false")
    func closedOnce() {
        var inbox = LoadInbox()
        let closed = (inbox.close(), inbox.close())
        #expect(closed == (true, false))
    }
}
