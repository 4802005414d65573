import Synchronization

/// The loads of one manager that have not ended, with what is told and held of each until it does.
final class RunningTasks: Sendable {
    private struct Entry {
        let task: ImageTask
        let load: ObservedLoad?
        let prefixes: [ImageRequest]
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var isShutDown = false
    }

    /// Who does their work.
    let pipeline: Pipeline
    private let state = Mutex(State())
    /// Says the same as the state, for hits in memory, which need nothing else of it.
    private let isClosed = Atomic(false)

    init(_ pipeline: Pipeline) {
        self.pipeline = pipeline
    }

    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }
    var isShutDown: Bool { isClosed.load(ordering: .acquiring) }
    var all: [ImageTask] { state.withLock { $0.entries.values.map(\.task) } }

    /// A load begins. Returns whether it may.
    func begin(_ task: ImageTask) -> Bool {
        guard !isShutDown else { return false }
        let prefixes = task.request.prefixes
        if !prefixes.isEmpty { pipeline.heldPictures.begin(prefixes) }
        let entry = Entry(task: task, load: pipeline.observation.begin(task.request), prefixes: prefixes)
        let isAdmitted = state.withLock { state in
            if !state.isShutDown { state.entries[ObjectIdentifier(task)] = entry }
            return !state.isShutDown
        }
        if !isAdmitted { end(entry, .failure(.invalidated)) }
        return isAdmitted
    }

    /// It has ended.
    func end(_ task: ImageTask, _ outcome: Result<ImageResponse, ImageError>) {
        guard let entry = state.withLock({ $0.entries.removeValue(forKey: ObjectIdentifier(task)) }) else { return }
        end(entry, outcome)
    }

    /// Lets none begin any more.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        isClosed.store(true, ordering: .releasing)
    }

    private func end(_ entry: Entry, _ outcome: Result<ImageResponse, ImageError>) {
        if !entry.prefixes.isEmpty { pipeline.heldPictures.end(entry.prefixes) }
        pipeline.observation.end(entry.load, outcome.map(\.summary))
    }
}
