/// One call of `ImageManager.load` or `data(for:progress:)`, also one that finds its picture in memory.
public struct ObservedLoad: Sendable, Hashable, Identifiable {
    /// Its number, from 1; no two loads of a manager have the same.
    public let id: UInt64
    /// What was asked for, as the configuration's hooks have left it.
    public let request: ImageRequest
}

/// What a load that brought its picture has to tell, without the picture.
public struct LoadSummary: Sendable, Hashable {
    /// Where the picture comes from.
    public var source: ImageSource
    /// How long each stage took.
    public var timeline: LoadTimeline

    /// A summary.
    public init(source: ImageSource, timeline: LoadTimeline) {
        self.source = source
        self.timeline = timeline
    }
}

extension ImageResponse {
    /// What an observer is told.
    var summary: LoadSummary { LoadSummary(source: source, timeline: timeline) }
}

extension LoadedData {
    /// What an observer is told.
    var summary: LoadSummary { LoadSummary(source: source, timeline: timeline) }
}
