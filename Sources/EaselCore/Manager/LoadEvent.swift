/// What happens in a load. There is exactly one `finished`, and it is the last (P001, P002, B101).
public enum LoadEvent: Sendable {
    /// Bytes came.
    case progress(LoadProgress)
    /// What the cache had, while `LoadOptions.refreshCached` asks the server.
    case cached(ImageResponse)
    /// A coarser picture than the one to come, or the request's placeholder (`ImageMetadata.isPlaceholder`).
    case preview(ImageResponse)
    /// The end.
    case finished(Result<ImageResponse, ImageError>)
}
