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

    @Test("a closed one takes nothing more")
    func closed() {
        var inbox = LoadInbox()
        _ = inbox.put(progress(1))
        inbox.close()
        let left = inbox.take().count
        let isSent = inbox.put(end)
        let late = inbox.take().count
        #expect((left, isSent, late) == (0, false, 0))
    }

    @Test("a load is released once a server has been asked: its answer is on its way")
    func asked() {
        var inbox = LoadInbox()
        let isReleased = (inbox.release(isAsked: false), inbox.release(isAsked: true))
        #expect(isReleased == (false, true))
        var cancelled = LoadInbox()
        cancelled.close()
        let late = cancelled.release(isAsked: true)
        #expect(!late)
    }

    @Test("a load is released only once its file has begun to arrive, and not after it was cancelled")
    func released() {
        var waiting = LoadInbox()
        let early = waiting.release()
        _ = waiting.put(progress(0))
        let asked = waiting.release()
        _ = waiting.put(progress(1))
        let arriving = waiting.release()
        #expect((early, asked, arriving) == (false, false, true))
        #expect(waiting.isReleased)
        var cancelled = LoadInbox()
        _ = cancelled.put(progress(1))
        cancelled.close()
        let late = cancelled.release()
        #expect(!late)
    }
}
