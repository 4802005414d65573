import EaselTesting
import FoundationEssentials
import Testing

@testable import EaselCore

@Suite("LoadRelay", .timeLimit(.minutes(1)))
@MainActor
struct LoadRelayTests {
    private func task() throws -> ImageTask { ImageTask(try ManagerFixture.request()) }

    @Test("what there is when it begins comes in a later turn, and what comes is brought in order")
    func order() async throws {
        let task = try task()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { heard.append($0.name) }
        relay.begin()
        #expect(heard.isEmpty)
        await until { heard == ["1"] }
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        task.didReceive(.progress(LoadProgress(received: 3, expected: 9)))
        task.finish(.failure(.notCached))
        #expect(heard == ["1"])
        await until { heard.count == 3 }
        #expect(heard == ["1", "3", "end"])
        withExtendedLifetime(relay) {}
    }

    @Test("progress that nobody hears is there to be looked at, and brought with the end")
    func unheard() async throws {
        let task = try task()
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: false) { heard.append($0.name) }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 1, expected: 9)))
        await mainTurns()
        #expect(heard.isEmpty)
        #expect(relay.progress?.received == 1)
        task.finish(.failure(.notCached))
        await until { heard == ["1", "end"] }
        #expect(relay.progress == nil)
    }

    @Test("progress from many threads: each hop brings what came, the newest last, and the end behind it")
    func manyThreads() async throws {
        let task = try task()
        var heard: [String] = []
        let relay = LoadRelay(task, deliversProgress: true) { heard.append($0.name) }
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
        await until { heard.last == "end" }
        #expect(heard.filter { $0 == "end" }.count == 1)
        #expect(heard.count <= 1_601)
        withExtendedLifetime(relay) {}
    }

    @Test("letting go of it cancels the load, and nothing is brought any more")
    func letGo() async throws {
        let task = try task()
        var heard = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
        relay?.begin()
        relay = nil
        #expect(task.isCancelled)
        await mainTurns()
        #expect(heard == 0)
    }

    @Test(
        "a released load whose file is on its way goes on as a prefetch, and nothing of it is brought any more",
        arguments: [true, false])
    func released(hasBegunToArrive: Bool) async throws {
        let task = try task()
        var heard = 0
        var relay: LoadRelay? = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
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
        #expect(heard == 0)
    }

    @Test("a released load that no server has been asked for ends, and no server is asked for it any more")
    func releasedEarly() throws {
        let task = try task()
        let relay = LoadRelay(task, deliversProgress: true) { _ in }
        task.didReceive(.progress(LoadProgress(received: 0, expected: 9)))
        relay.release()
        #expect(task.isCancelled)
        #expect(!task.willSendRequest())
    }

    @Test("nor once it is cancelled")
    func cancelled() async throws {
        let task = try task()
        var heard = 0
        let relay = LoadRelay(task, deliversProgress: true) { _ in heard += 1 }
        relay.begin()
        task.didReceive(.progress(LoadProgress(received: 2, expected: 9)))
        relay.cancel()
        #expect(task.isCancelled)
        await mainTurns()
        #expect(heard == 0)
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

    @Test("somebody is sent once for all that came")
    func hops() {
        var inbox = LoadInbox()
        let first = (inbox.put(progress(1)), inbox.take().count)
        #expect(first == (true, 1))
        let second = (inbox.put(progress(2)), inbox.put(end), inbox.take().count)
        #expect(second == (true, false, 2))
        let third = inbox.put(end)
        #expect(third)
    }

    @Test("of progress only the newest is brought, and the end is last and never lost")
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
        let rest = inbox.take()
        #expect(rest.isEmpty)
    }

    @Test("nobody is sent for progress that nobody hears: it can be looked at, and comes with what is told next")
    func unheard() {
        var inbox = LoadInbox(deliversProgress: false)
        let isSent = (inbox.put(progress(1)), inbox.put(progress(2)))
        #expect(isSent == (false, false))
        #expect(inbox.progress == LoadProgress(received: 2, expected: 10))
        let isSentForTheEnd = inbox.put(end)
        #expect(isSentForTheEnd)
        let events = inbox.take()
        guard events.count == 2, case .progress = events[0], case .finished = events[1] else {
            Issue.record("\(events)")
            return
        }
        #expect(inbox.progress == nil)
    }

    @Test("who begins to hear progress is told what has come of it, once")
    func heardLater() {
        var inbox = LoadInbox(deliversProgress: false)
        let before = inbox.deliverProgress()
        #expect(!before)
        let isSentAtOnce = inbox.put(progress(1))
        #expect(isSentAtOnce)
        var late = LoadInbox(deliversProgress: false)
        _ = late.put(progress(1))
        let isSent = (late.deliverProgress(), late.deliverProgress(), late.put(progress(2)), late.take().count)
        #expect(isSent == (true, false, false, 1))
        let next = late.put(progress(3))
        #expect(next)
    }

    @Test("a closed one takes nothing more")
    func closed() {
        var inbox = LoadInbox()
        _ = inbox.put(progress(1))
        _ = inbox.close()
        let left = inbox.take().count
        let isSent = inbox.put(end)
        let late = inbox.take().count
        #expect((left, isSent, late) == (0, false, 0))
    }

    @Test("it is closed once: who closes it again learns that somebody has")
    func closedOnce() {
        var inbox = LoadInbox()
        let closed = (inbox.close(), inbox.close())
        #expect(closed == (true, false))
    }
}
