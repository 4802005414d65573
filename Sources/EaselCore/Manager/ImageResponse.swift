public import EaselFoundation

/// What a load brings.
public struct ImageResponse: Sendable {
    /// The picture as asked for.
    public var image: DecodedImage
    /// Where it comes from.
    public var source: ImageSource
    /// The original file's bytes, where the load had them in hand; `nil` for a picture from memory (see
    /// `LoadOptions.queryMemoryData`).
    public var data: Data?
    /// What was asked for.
    public var request: ImageRequest
    /// How long it took.
    public var timeline: LoadTimeline

    /// A response.
    public init(
        image: DecodedImage, source: ImageSource, data: Data? = nil, request: ImageRequest,
        timeline: LoadTimeline = LoadTimeline()
    ) {
        self.image = image
        self.source = source
        self.data = data
        self.request = request
        self.timeline = timeline
    }
}
