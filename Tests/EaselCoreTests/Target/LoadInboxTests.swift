import EaselTesting
import Testing

@testable import EaselCore

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
