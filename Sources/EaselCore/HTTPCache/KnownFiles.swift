import Synchronization

/// The `FileLedger` of one manager.
final class KnownFiles: Sendable {
    private let ledger = Mutex(FileLedger())
    /// Read by every hit in memory: most processes never replace a file.
    private let hasReplacements = Atomic(false)

    /// Whether an image shows the file of `request` as it is now.
    func isCurrent(_ image: DecodedImage, _ request: ImageRequest) -> Bool {
        guard hasReplacements.load(ordering: .acquiring) else { return true }
        let key = request.originalKey
        return ledger.withLock { $0.isCurrent(image.stamp, key) }
    }

    func stamp() -> UInt64 { ledger.withLock { $0.stamp() } }
    func knows(_ key: CacheKey) -> Bool { ledger.withLock { $0.knows(key) } }
    func version(of key: CacheKey) -> FileVersion? { ledger.withLock { $0.version(of: key) } }
    func response(of key: CacheKey) -> StoredResponse? { ledger.withLock { $0.response(of: key) } }

    func found(_ provenance: Provenance, for key: CacheKey) -> Bool {
        update { $0.found(provenance, for: key) }
    }

    func accept(_ provenance: Provenance, for key: CacheKey, isRefresh: Bool) -> UInt64 {
        update { $0.accept(provenance, for: key, isRefresh: isRefresh) }
    }

    func confirm(_ response: StoredResponse, for key: CacheKey) {
        update { $0.confirm(response, for: key) }
    }

    private func update<Value: Sendable>(_ change: (inout FileLedger) -> Value) -> Value {
        let (value, isReplaced) = ledger.withLock { ledger in (change(&ledger), ledger.hasReplacements) }
        if isReplaced { hasReplacements.store(true, ordering: .releasing) }
        return value
    }
}
