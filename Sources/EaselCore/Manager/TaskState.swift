/// What one load has reached, and who watches: one end, nothing behind it, and late watchers see what they missed.
///
/// A pure value: it says what is to be told to whom, in order, and one caller at a time tells it, outside of any lock.
struct TaskState {
    typealias Observer = @Sendable (LoadEvent) -> Void

    /// One event for one watcher.
    struct Delivery {
        let number: Int
        let observer: Observer
        let event: LoadEvent
    }

    /// Whether a server has been asked, or the file is on its way from elsewhere.
    private(set) var isAsked = false
    private var mayNotAsk = false
    private(set) var outcome: Result<ImageResponse, ImageError>?
    /// The outcome that a caller has claimed the end with; `outcome` follows.
    private(set) var claimedOutcome: Result<ImageResponse, ImageError>?
    private var progress: LoadProgress?
    /// The last `.cached` or `.preview`.
    private var picture: LoadEvent?
    /// Whether that stands in for the image, as it does from the beginning.
    private var isPlaceholder = false
    private var observers: [(number: Int, call: Observer)] = []
    private var nextNumber = 0
    private var outbox: [Delivery] = []
    private var isDelivering = false

    /// Takes an event for all who watch, unless the load has ended.
    mutating func take(_ event: LoadEvent) {
        guard outcome == nil else { return }
        switch event {
        case .progress(let progress):
            self.progress = progress
            if progress.received > 0 { isAsked = true }
        case .cached, .preview:
            picture = event
            isPlaceholder = false
        case .finished(let outcome): self.outcome = outcome
        }
        for observer in observers { send(event, to: observer) }
        if outcome != nil { observers = [] }
    }

    /// Claims the end. Returns `false` if another caller has claimed it.
    mutating func claimEnd(with outcome: Result<ImageResponse, ImageError>) -> Bool {
        guard claimedOutcome == nil else { return false }
        claimedOutcome = outcome
        return true
    }

    /// A server is about to be asked. Returns whether that is still wanted.
    mutating func ask() -> Bool {
        guard outcome == nil, claimedOutcome == nil, !mayNotAsk else { return false }
        isAsked = true
        return true
    }

    /// Nobody waits any more. Returns whether a server is still to be asked: from then on none may be.
    mutating func refuseToAsk() -> Bool {
        guard outcome != nil || claimedOutcome != nil || !isAsked else { return false }
        mayNotAsk = true
        return true
    }

    /// Takes what stands in for the picture; one of the load's own that came before stays.
    mutating func take(placeholder: ImageResponse) {
        guard outcome == nil, picture == nil else { return }
        take(.preview(placeholder))
        isPlaceholder = true
    }

    /// Adds a watcher, who is told the present state first.
    mutating func add(_ observer: @escaping Observer) -> Int {
        nextNumber += 1
        let observer = (number: nextNumber, call: observer)
        if isPlaceholder, let picture { send(picture, to: observer) }
        if let progress { send(.progress(progress), to: observer) }
        if !isPlaceholder, let picture { send(picture, to: observer) }
        if let outcome {
            send(.finished(outcome), to: observer)
        } else {
            observers.append(observer)
        }
        return nextNumber
    }

    /// A watcher who is told nothing more.
    mutating func remove(_ number: Int) {
        observers.removeAll { $0.number == number }
        outbox.removeAll { $0.number == number }
    }

    /// Whether the caller has to tell what is to be told. Until `nextDelivery` says that there is nothing left, all
    /// others may go: what they add is told too, so that no watcher hears two callers at a time.
    mutating func beginDelivering() -> Bool {
        guard !isDelivering, !outbox.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// What to tell next; `nil` ends the caller's turn.
    mutating func nextDelivery() -> Delivery? {
        guard !outbox.isEmpty else {
            isDelivering = false
            return nil
        }
        return outbox.removeFirst()
    }

    private mutating func send(_ event: LoadEvent, to observer: (number: Int, call: Observer)) {
        outbox.append(Delivery(number: observer.number, observer: observer.call, event: event))
    }
}
