import Synchronization

/// The events of one load for a reader that may be slower than they come.
final class LoadEventStream: Sendable {
    private typealias Reader = CheckedContinuation<LoadEvent?, Never>

    private struct State {
        /// Events that were not read yet, in order.
        var events: [LoadEvent] = []
        var readers: [Reader] = []
        var isClosed = false

        /// A reader that has waited long enough, with what it gets: an event, or `nil` behind the last.
        mutating func served() -> (reader: Reader, event: LoadEvent?)? {
            guard !readers.isEmpty else { return nil }
            if isClosed { return (readers.removeFirst(), nil) }
            guard !events.isEmpty else { return nil }
            let event = events.removeFirst()
            if case .finished = event { isClosed = true }
            return (readers.removeFirst(), event)
        }
    }

    private let state = Mutex(State())

    /// Takes an event in. Previews hold images, so that only the newest is kept.
    func put(_ event: LoadEvent) {
        update { state in
            if event.isPreview { state.events.removeAll(where: \.isPreview) }
            state.events.append(event)
        }
    }

    /// Ends the stream.
    func close() { update { $0.isClosed = true } }

    /// The next event, when there is one; `nil` behind the last.
    func next() async -> LoadEvent? {
        await withCheckedContinuation { reader in update { $0.readers.append(reader) } }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        // Outside the lock, because resuming a task takes a lock of Swift's own.
        while let (reader, event) = state.withLock({ $0.served() }) { reader.resume(returning: event) }
    }
}

extension LoadEvent {
    fileprivate var isPreview: Bool {
        if case .preview = self { true } else { false }
    }
}
