import Synchronization

/// The state of one load: its last events, its observers, and its end.
///
/// A pure value. Events go to the observers in order, one at a time, and an observer that is added later receives the
/// last ones first.
struct TaskState {
    typealias Outcome = Result<ImageResponse, ImageError>
    typealias Observer = @Sendable (LoadEvent) -> Void

    struct Delivery {
        let number: Int
        let observer: Observer
        let event: LoadEvent
    }

    private var hasSentRequest = false
    private var refusesRequests = false
    /// The last event, once a caller has claimed to end the load. An outcome is large, and an event only a reference.
    private var end: LoadEvent?
    private var isFinished = false
    private var progress: LoadEvent?
    /// The last `.cached` or `.preview`.
    private var image: LoadEvent?
    /// Whether `image` is a placeholder.
    private var isPlaceholder = false
    private var observers: [(number: Int, call: Observer)] = []
    private var nextNumber = 0
    private var deliveries: [Delivery] = []
    private var isDelivering = false

    init() {}

    /// Creates the state of a load that memory has answered.
    init(found response: ImageResponse) {
        end = .finished(.success(response))
        isFinished = true
    }

    /// The outcome of the caller that ends the load; `outcome` follows.
    var claimedOutcome: Outcome? { if case .finished(let outcome) = end { outcome } else { nil } }

    /// The outcome of a load that has ended.
    var outcome: Outcome? { isFinished ? claimedOutcome : nil }

    mutating func receive(_ event: LoadEvent) {
        guard !isFinished else { return }
        switch event {
        case .progress(let progress):
            self.progress = event
            if progress.received > 0 { hasSentRequest = true }
        case .cached, .preview:
            image = event
            isPlaceholder = false
        case .finished:
            end = event
            isFinished = true
        }
        for observer in observers { deliver(event, to: observer) }
        if isFinished { observers = [] }
    }

    /// Receives a placeholder. An image of the load that came before stays.
    mutating func receive(placeholder: ImageResponse) {
        guard !isFinished, image == nil else { return }
        receive(.preview(placeholder))
        isPlaceholder = true
    }

    /// Receives the request's preview, which replaces only a placeholder.
    mutating func receive(preview: ImageResponse) {
        guard !isFinished, image == nil || isPlaceholder else { return }
        receive(.preview(preview))
    }

    /// Claims the end of the load. Returns the event that follows, or `nil` if another caller has claimed it.
    mutating func claimEnd(with outcome: Outcome) -> LoadEvent? {
        guard end == nil else { return nil }
        end = .finished(outcome)
        return end
    }

    /// Announces that a request is about to be sent. Returns whether this load needs it.
    mutating func willSendRequest() -> Bool {
        guard end == nil, !refusesRequests else { return false }
        hasSentRequest = true
        return true
    }

    /// Refuses later requests, unless one has been sent. Returns whether they are refused.
    mutating func refuseRequest() -> Bool {
        guard end != nil || !hasSentRequest else { return false }
        refusesRequests = true
        return true
    }

    /// Adds an observer, which receives the current state first. Returns its number.
    mutating func addObserver(_ observer: @escaping Observer) -> Int {
        nextNumber += 1
        let observer = (number: nextNumber, call: observer)
        for event in isPlaceholder ? [image, progress] : [progress, image] {
            if let event { deliver(event, to: observer) }
        }
        if let outcome { deliver(.finished(outcome), to: observer) } else { observers.append(observer) }
        return nextNumber
    }

    mutating func removeObserver(_ number: Int) {
        observers.removeAll { $0.number == number }
        deliveries.removeAll { $0.number == number }
    }

    /// Returns whether the caller has to deliver events, until `nextDelivery` returns `nil`. There is one such caller
    /// at a time.
    mutating func beginDelivering() -> Bool {
        guard !isDelivering, !deliveries.isEmpty else { return false }
        isDelivering = true
        return true
    }

    mutating func nextDelivery() -> Delivery? {
        guard !deliveries.isEmpty else {
            isDelivering = false
            return nil
        }
        return deliveries.removeFirst()
    }

    private mutating func deliver(_ event: LoadEvent, to observer: (number: Int, call: Observer)) {
        deliveries.append(Delivery(number: observer.number, observer: observer.call, event: event))
    }
}

/// The events of one load for one reader. Only the latest preview is kept, because previews retain images.
final class LoadEventStream: Sendable {
    private struct State {
        var events: [LoadEvent] = []
        var readers: [CheckedContinuation<LoadEvent?, Never>] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    func append(_ event: LoadEvent) {
        update { state in
            if case .preview = event {
                state.events.removeAll { if case .preview = $0 { true } else { false } }
            }
            state.events.append(event)
        }
    }

    func close() { update { $0.isClosed = true } }

    /// Returns the next event; `nil` after the last.
    func next() async -> LoadEvent? {
        await withCheckedContinuation { reader in update { $0.readers.append(reader) } }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        while let (reader, event) = nextDelivery() { reader.resume(returning: event) }
    }

    /// Removes a reader and the event that it receives. The reader is resumed outside of the lock, because that takes a
    /// lock of Swift's own.
    private func nextDelivery() -> (reader: CheckedContinuation<LoadEvent?, Never>, event: LoadEvent?)? {
        state.withLock { state in
            guard !state.readers.isEmpty, state.isClosed || !state.events.isEmpty else { return nil }
            let event = state.isClosed ? nil : state.events.removeFirst()
            if case .finished = event { state.isClosed = true }
            return (state.readers.removeFirst(), event)
        }
    }
}
