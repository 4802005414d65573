/// Several observers in the place of one. Each is told in turn.
public struct ImageObserverList: ImageObserver {
    private let observers: [any ImageObserver]

    /// A list of these.
    public init(_ observers: [any ImageObserver]) {
        self.observers = observers
    }

    /// Tells all.
    public func imageManager(didWarn warning: ImageWarning) {
        for observer in observers { observer.imageManager(didWarn: warning) }
    }

    /// Tells all.
    public func imageManager(didBegin load: ObservedLoad) {
        for observer in observers { observer.imageManager(didBegin: load) }
    }

    /// Tells all.
    public func imageManager(didEnd load: ObservedLoad, with outcome: Result<LoadSummary, ImageError>) {
        for observer in observers { observer.imageManager(didEnd: load, with: outcome) }
    }

    /// Tells all.
    public func imageManager(didBegin stage: ObservedStage) {
        for observer in observers { observer.imageManager(didBegin: stage) }
    }

    /// Tells all.
    public func imageManager(didEnd stage: ObservedStage, after duration: Duration, with outcome: StageOutcome) {
        for observer in observers { observer.imageManager(didEnd: stage, after: duration, with: outcome) }
    }

    /// Tells all.
    public func imageManager(didHear notification: DownloadNotification) {
        for observer in observers { observer.imageManager(didHear: notification) }
    }
}
