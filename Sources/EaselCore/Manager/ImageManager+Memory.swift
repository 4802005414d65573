extension ImageManager {
    /// Whether a load of this request would show its picture before the call returns, so that a view can begin it in a turn
    /// in which it would begin no other. It counts as a use of the entry.
    package func hasInMemory(_ request: ImageRequest) -> Bool {
        pipeline.pictureInMemory(processed(request)) != nil
    }
}
