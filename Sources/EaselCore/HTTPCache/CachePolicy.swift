/// What the cache makes of what servers say about keeping their pictures.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
    /// What is kept is used, however old it is (SDWebImage's way). For pictures that change their URL when they change.
    case forever
    /// By the protocol (RFC 9111): what is fresh is used, what is stale is asked about, and what must not be kept is not.
    case standard
    /// What is kept is used, and no server is asked; without anything the load ends with `ImageError.notCached`.
    case offline
}
