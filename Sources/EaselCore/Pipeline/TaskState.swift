import Synchronization

/// An event of a load. The last one is `finished`, and there is exactly one.
public enum LoadEvent: Sendable {
    /// Bytes have arrived.
    case progress(LoadProgress)
    /// The cached image, while `LoadOptions.refreshCached` asks the server.
    indirect case cached(ImageResponse)
    /// An image of less detail than the final one, or the request's placeholder (`ImageMetadata.isPlaceholder`).
    indirect case preview(ImageResponse)
    /// The end of the load.
    indirect case finished(Result<ImageResponse, ImageError>)
}

/// The state of one load: its last events, its observers, and its end.
///
/// A pure value. Events go to the observers in order, one at a time, and an observer that is added later receives the last ones first.
struct TaskState {
    typealias Observer = @Sendable (LoadEvent) -> Void

    struct Delivery {
        let number: Int
        let observer: Observer
        let event: LoadEvent
    }

    private(set) var hasSentRequest = false
    private var refusesRequests = false
    /// The end, once a caller has claimed it.
    private var end: LoadEvent?
    /// Whether the end has been received.
    private var isFinished = false
    private var progress: LoadProgress?
    /// The last `.cached` or `.preview`.
    private var image: LoadEvent?
    /// Whether `image` is a placeholder.
    private var isPlaceholder = false
    private var observers: [(number: Int, call: Observer)] = []
    private var nextNumber = 0
    private var deliveries: [Delivery] = []
    private var isDelivering = false

    /// The outcome of a load that has ended.
    var outcome: Result<ImageResponse, ImageError>? { isFinished ? claimedOutcome : nil }

    /// The outcome of the caller that ends the load; `outcome` follows.
    var claimedOutcome: Result<ImageResponse, ImageError>? {
        if case .finished(let outcome) = end { outcome } else { nil }
    }

    // MARK: - Events

    mutating func receive(_ event: LoadEvent) {
        guard !isFinished else { return }
        switch event {
        case .progress(let progress):
            self.progress = progress
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

    /// Claims the end of the load. Returns `false` if another caller has claimed it.
    mutating func claimEnd(with outcome: Result<ImageResponse, ImageError>) -> Bool {
        guard end == nil else { return false }
        end = .finished(outcome)
        return true
    }

    /// A request is about to be sent. Returns whether this load needs it.
    mutating func willSendRequest() -> Bool {
        guard end == nil, !refusesRequests else { return false }
        hasSentRequest = true
        return true
    }

    /// Refuses requests from now on, unless one has been sent. Returns whether it did.
    mutating func refuseRequest() -> Bool {
        guard end != nil || !hasSentRequest else { return false }
        refusesRequests = true
        return true
    }

    // MARK: - Observers

    /// Adds an observer, which receives the current state first. Returns its number.
    mutating func addObserver(_ observer: @escaping Observer) -> Int {
        nextNumber += 1
        let observer = (number: nextNumber, call: observer)
        if isPlaceholder, let image { deliver(image, to: observer) }
        if let progress { deliver(.progress(progress), to: observer) }
        if !isPlaceholder, let image { deliver(image, to: observer) }
        if isFinished, let end { deliver(end, to: observer) } else { observers.append(observer) }
        return nextNumber
    }

    mutating func removeObserver(_ number: Int) {
        observers.removeAll { $0.number == number }
        deliveries.removeAll { $0.number == number }
    }

    /// Returns whether the caller has to deliver events, until `nextDelivery` returns `nil`. There is one such caller at a time.
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

/// The events of one load for one reader. Only the latest preview is kept, because previews hold images.
final class LoadEventStream: Sendable {
    private typealias Reader = CheckedContinuation<LoadEvent?, Never>

    private struct State {
        var events: [LoadEvent] = []
        var readers: [Reader] = []
        var isClosed = false

        /// A reader with what it receives: an event, or `nil` after the last.
        mutating func nextDelivery() -> (reader: Reader, event: LoadEvent?)? {
            guard !readers.isEmpty else { return nil }
            if isClosed { return (readers.removeFirst(), nil) }
            guard !events.isEmpty else { return nil }
            let event = events.removeFirst()
            if case .finished = event { isClosed = true }
            return (readers.removeFirst(), event)
        }
    }

    private let state = Mutex(State())

    func put(_ event: LoadEvent) {
        update { state in
            if event.isPreview { state.events.removeAll(where: \.isPreview) }
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
        // Outside of the lock, because resuming a task takes a lock of Swift's own.
        while let (reader, event) = state.withLock({ $0.nextDelivery() }) { reader.resume(returning: event) }
    }
}

extension LoadEvent {
    fileprivate var isPreview: Bool {
        if case .preview = self { true } else { false }
    }
}
