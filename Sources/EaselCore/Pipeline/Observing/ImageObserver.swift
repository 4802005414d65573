/// Hears what a manager does (X133). Called from any thread, as it happens and in order for each load, stage and download;
/// must not block. What a type does not implement does nothing.
///
/// Whatever begins ends, once: loads, stages and downloads come in pairs with the same `id`.
public protocol ImageObserver: Sendable {
    /// Something went wrong that did not stop the load: the picture came all the same.
    func imageManager(didWarn warning: ImageWarning)
    /// Somebody wants a picture.
    func imageManager(didBegin load: ObservedLoad)
    /// They have it, or will not get it.
    func imageManager(didEnd load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>)
    /// Work for one load, or for several that share it, begins.
    func imageManager(didBegin stage: ObservedStage)
    /// The work has ended after so long.
    func imageManager(didEnd stage: ObservedStage, after duration: Duration, with outcome: StageOutcome)
    /// News of a download.
    func imageManager(didHear notification: DownloadNotification)
}

extension ImageObserver {
    /// Nothing.
    public func imageManager(didWarn warning: ImageWarning) {}
    /// Nothing.
    public func imageManager(didBegin load: ObservedLoad) {}
    /// Nothing.
    public func imageManager(didEnd load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {}
    /// Nothing.
    public func imageManager(didBegin stage: ObservedStage) {}
    /// Nothing.
    public func imageManager(didEnd stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {}
    /// Nothing.
    public func imageManager(didHear notification: DownloadNotification) {}
}
