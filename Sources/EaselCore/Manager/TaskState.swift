/// What one load has reached, and who watches: one end, nothing behind it, and late watchers see what they missed.
struct TaskState {
    typealias Observer = @Sendable (LoadEvent) -> Void

    private(set) var outcome: Result<ImageResponse, ImageError>?
    private var progress: LoadProgress?
    /// The last `.cached` or `.preview`.
    private var picture: LoadEvent?
    private var observers: [(number: Int, call: Observer)] = []
    private var nextNumber = 0

    /// Takes an event and passes it on, unless the load has ended.
    mutating func deliver(_ event: LoadEvent) {
        guard outcome == nil else { return }
        switch event {
        case .progress(let progress): self.progress = progress
        case .cached, .preview: picture = event
        case .finished(let outcome): self.outcome = outcome
        }
        for observer in observers { observer.call(event) }
        if outcome != nil { observers = [] }
    }

    /// Adds a watcher, and shows it the present state first.
    mutating func add(_ observer: @escaping Observer) -> Int {
        nextNumber += 1
        if let progress { observer(.progress(progress)) }
        if let picture { observer(picture) }
        if let outcome {
            observer(.finished(outcome))
        } else {
            observers.append((nextNumber, observer))
        }
        return nextNumber
    }

    mutating func remove(_ number: Int) {
        observers.removeAll { $0.number == number }
    }
}
