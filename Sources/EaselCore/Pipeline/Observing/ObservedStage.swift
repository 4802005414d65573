/// A part of the way of a request, by the names of `LoadTimeline`.
public enum LoadStage: String, Sendable, Hashable, CaseIterable {
    /// Waiting for a free place among the downloads.
    case queued
    /// Reading the disk cache.
    case disk
    /// From sending a request to the head of the answer, connecting included; each redirect is one more.
    case firstByte
    /// From the head to the last byte.
    case transfer
    /// Decoding.
    case decode
    /// One transform.
    case transform
    /// Writing the cache, encoding for that included. It may end behind the load (`LoadOptions.waitStoreCache`).
    case store
}

/// A stage under way. Loads that want the same share it: it happens once, for the request of the one that came first.
public struct ObservedStage: Sendable, Hashable, Identifiable {
    /// Its number, from 1; no two stages of a manager have the same.
    public let id: UInt64
    /// What is done.
    public let stage: LoadStage
    /// For whom it was begun.
    public let request: ImageRequest
}

/// How a stage ended.
public enum StageOutcome: Sendable, Hashable {
    /// As it should.
    case done
    /// The cache has nothing, or what there is cannot be kept.
    case missed
    /// With an error, or because nobody waits any more (`ImageError.cancelled`).
    case failed(ImageError)
}
