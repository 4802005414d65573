import EaselCore
import Synchronization

/// A relay that delivers the events of one load to the main actor: in order, with one hop for all events that came
/// before it. Its deinit cancels the load, unless that was released.
///
/// Holds nothing of the target, because its last reference may be dropped on any thread.
final class LoadRelay: Sendable {
    let task: ImageTask
    private let inbox: Mutex<LoadInbox>
    private let receive: @MainActor @Sendable (LoadEvent) -> Void

    /// - Parameter deliversProgress: Whether progress is delivered. Otherwise it is kept for `progress`.
    init(_ task: ImageTask, deliversProgress: Bool, receive: @escaping @MainActor @Sendable (LoadEvent) -> Void) {
        self.task = task
        self.receive = receive
        inbox = Mutex(LoadInbox(deliversProgress: deliversProgress))
    }

    deinit { cancel() }

    /// Starts to receive events.
    func begin() {
        task.observe { [weak self] event in self?.update { $0.put(event) } }
    }

    /// Stops delivery and cancels the load.
    func cancel() {
        if inbox.withLock({ $0.close() }) { task.cancel() }
    }

    /// Stops delivery and cancels the load, unless its request is sent already.
    func release() {
        if inbox.withLock({ $0.close() }) { task.cancelUnlessRequested() }
    }

    /// Delivers progress as it comes from now on, and what came before.
    func deliverProgress() { update { $0.deliverProgress() } }

    /// The newest progress that is not delivered.
    var progress: LoadProgress? { inbox.withLock { $0.progress } }

    private func update(_ change: (inout LoadInbox) -> Bool) {
        guard inbox.withLock({ change(&$0) }) else { return }
        Task { @MainActor [weak self] in
            guard let self else { return }
            for event in inbox.withLock({ $0.take() }) { receive(event) }
        }
    }
}

/// Events on their way to the main actor. Methods return whether a hop has to be sent for them.
struct LoadInbox {
    private var events: [LoadEvent] = []
    private var isHopPending = false
    private var isClosed = false
    private var deliversProgress: Bool

    init(deliversProgress: Bool = true) { self.deliversProgress = deliversProgress }

    /// Adds an event. Of progress and of previews only the newest is kept.
    mutating func put(_ event: LoadEvent) -> Bool {
        guard !isClosed else { return false }
        events.removeAll { event.replaces($0) }
        events.append(event)
        return needsHop()
    }

    /// Sends hops for progress alone from now on.
    mutating func deliverProgress() -> Bool {
        deliversProgress = true
        return needsHop()
    }

    /// The newest progress that was not taken.
    var progress: LoadProgress? { events.lazy.compactMap(\.progress).first }

    private mutating func needsHop() -> Bool {
        guard !isHopPending, events.contains(where: { deliversProgress || $0.progress == nil }) else { return false }
        isHopPending = true
        return true
    }

    /// Takes all events, in order.
    mutating func take() -> [LoadEvent] {
        isHopPending = false
        defer { events = [] }
        return events
    }

    /// Drops all events, present and future. Returns whether it was open.
    mutating func close() -> Bool {
        defer { isClosed = true }
        events = []
        return !isClosed
    }
}

extension LoadEvent {
    fileprivate var progress: LoadProgress? {
        if case .progress(let progress) = self { progress } else { nil }
    }

    fileprivate func replaces(_ other: LoadEvent) -> Bool {
        switch (self, other) {
        case (.progress, .progress), (.preview, .preview): true
        default: false
        }
    }
}
