import Synchronization

/// Brings the events of one load to the main actor: in order, with one hop for all that came before it. Letting go of it cancels
/// the load, unless that was let go on.
///
/// It holds nothing of the target's, because its last reference may go on any thread.
final class LoadRelay: Sendable {
    let task: ImageTask
    private let inbox: Mutex<LoadInbox>
    private let receive: @MainActor @Sendable (LoadEvent) -> Void

    /// - Parameter bringsProgress: whether progress is brought when it comes. Else it is there to be looked at, and no hop is made
    ///   for it.
    init(_ task: ImageTask, bringsProgress: Bool, receive: @escaping @MainActor @Sendable (LoadEvent) -> Void) {
        self.task = task
        self.receive = receive
        inbox = Mutex(LoadInbox(bringsProgress: bringsProgress))
    }

    deinit { cancel() }

    /// Cancels the load, and brings nothing more.
    func cancel() {
        if inbox.withLock({ $0.close() }) { task.cancel() }
    }

    /// Brings nothing more, and cancels the load, unless a server has been asked: then it goes on without anybody who waits.
    func release() {
        if inbox.withLock({ $0.close() }) { task.cancelUnlessRequested() }
    }

    /// Begins to listen.
    func begin() {
        task.observe { [weak self] event in self?.put(event) }
    }

    /// Brings progress when it comes from now on, and what has come of it.
    func bringProgress() {
        if inbox.withLock({ $0.bringProgress() }) { send() }
    }

    /// The newest progress, where it has come and was not brought.
    var progress: LoadProgress? { inbox.withLock { $0.progress } }

    private func put(_ event: LoadEvent) {
        if inbox.withLock({ $0.put(event) }) { send() }
    }

    private func send() {
        Task { @MainActor [weak self] in self?.deliver() }
    }

    @MainActor
    private func deliver() {
        for event in inbox.withLock({ $0.take() }) { receive(event) }
    }
}

/// Events on their way to the main actor.
struct LoadInbox {
    private var events: [LoadEvent] = []
    /// Whether somebody is going to take them.
    private var isAwaited = false
    private var isClosed = false
    /// Whether somebody is sent for progress alone. Most views show none, and two hops of three would be for it.
    private var bringsProgress: Bool

    init(bringsProgress: Bool = true) { self.bringsProgress = bringsProgress }

    /// Takes an event in. Of progress and of previews only the newest is of use.
    ///
    /// - Returns: whether somebody has to be sent for them.
    mutating func put(_ event: LoadEvent) -> Bool {
        guard !isClosed else { return false }
        events.removeAll { event.replaces($0) }
        events.append(event)
        return mustSend()
    }

    /// Somebody is sent for progress from now on.
    ///
    /// - Returns: whether somebody has to be sent for what there is.
    mutating func bringProgress() -> Bool {
        bringsProgress = true
        return mustSend()
    }

    /// The newest progress that was not taken.
    var progress: LoadProgress? {
        events.lazy.compactMap(\.progress).first
    }

    private mutating func mustSend() -> Bool {
        guard !isAwaited, events.contains(where: { bringsProgress || $0.progress == nil }) else { return false }
        isAwaited = true
        return true
    }

    /// All that came, in order.
    mutating func take() -> [LoadEvent] {
        isAwaited = false
        defer { events = [] }
        return events
    }

    /// Nobody wants anything more.
    ///
    /// - Returns: whether somebody did until now.
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
