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

        init(_ file: LoadedData) {
            self.file = file
        }

        /// Whether nobody else is about to store it: true for one caller.
        func mayStore() -> Bool { !isStored.exchange(true, ordering: .relaxed) }
    }

    private struct Reference {
        weak var holder: Holder?
    }

    private let references = Mutex<[ImageRequest: Reference]>([:])

    /// What is held for `key`. It costs nothing now, so that its timeline is empty.
    func original(for key: ImageRequest) -> Original? {
        guard let holder = references.withLock({ $0[key]?.holder }) else { return nil }
        var file = holder.file
        file.timeline = LoadTimeline()
        file.timeline.join()
        return Original(file: file, holder: holder)
    }

    /// Holds `file` for as long as anybody keeps what is returned.
    func hold(_ file: LoadedData, for key: ImageRequest) -> Original {
        let holder = Holder(file)
        references.withLock { references in
            references = references.filter { $0.value.holder != nil }
            references[key] = Reference(holder: holder)
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
