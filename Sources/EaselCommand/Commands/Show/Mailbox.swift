import Synchronization

/// Events from any thread for one who waits for them, and gets all that have come at once.
final class Mailbox<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])
    private let bell: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (bell, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds events, in this order.
    func post(_ new: [Event]) {
        events.withLock { $0 += new }
        continuation.yield()
    }

    /// Those that have come since the last call, as soon as there are any; none where the task is cancelled.
    func next() async -> [Event] {
        for await _ in bell {
            let taken = events.withLock { events in
                defer { events = [] }
                return events
            }
            if !taken.isEmpty { return taken }
        }
        return []
    }
}
