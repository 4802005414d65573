import Synchronization

/// Originals that have come and are still being decoded or stored: whoever wants one now gets it, and not a second
/// download, although the work that brought it has ended and the disk does not have it yet.
///
/// References are weak: an original is held by those who work with it, however they end.
final class HeldOriginals: Sendable {
    /// Bytes that somebody works with.
    final class Holder: Sendable {
        let file: LoadedData
        private let isStored = Atomic(false)
        private let isChecked = Atomic(false)

        init(_ file: LoadedData) {
            self.file = file
        }

        /// Whether nobody else is about to store it: true for one caller.
        func mayStore() -> Bool { !isStored.exchange(true, ordering: .relaxed) }

        /// Runs `check`, which has to be the same for all who ask for the file, until it has passed once.
        func checkOnce(_ check: () throws(ImageError) -> Void) throws(ImageError) {
            if isChecked.load(ordering: .relaxed) { return }
            try check()
            isChecked.store(true, ordering: .relaxed)
        }
    }

    private struct Reference {
        weak var holder: Holder?
    }

    private struct State {
        var references: [ImageRequest: Reference] = [:]
        /// How many there may be before those are looked for that nobody keeps any more.
        var limit = 32
    }

    private let state = Mutex(State())

    /// What is held for `key`. It costs nothing now, so that its timeline is empty.
    func original(for key: ImageRequest) -> Original? {
        guard let holder = state.withLock({ $0.references[key]?.holder }) else { return nil }
        var file = holder.file
        file.timeline = LoadTimeline()
        file.timeline.join()
        return Original(file: file, holder: holder)
    }

    /// Holds `file` for as long as anybody keeps what is returned.
    func hold(_ file: LoadedData, for key: ImageRequest) -> Original {
        let holder = Holder(file)
        state.withLock { state in
            if state.references.count >= state.limit {
                state.references = state.references.filter { $0.value.holder != nil }
                // So that each costs constant time on average, however many are kept.
                state.limit = max(32, 2 * state.references.count)
            }
            state.references[key] = Reference(holder: holder)
        }
        return Original(file: file, holder: holder)
    }
}

/// A file to be decoded, with what keeps others from fetching it again meanwhile.
struct Original: Timed {
    var file: LoadedData
    let holder: HeldOriginals.Holder

    var timeline: LoadTimeline {
        get { file.timeline }
        set { file.timeline = newValue }
    }
}
