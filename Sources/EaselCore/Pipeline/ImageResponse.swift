public import EaselFoundation

/// The result of a load.
public struct ImageResponse: Sendable {
    /// The image.
    public var image: DecodedImage
    /// Where it comes from.
    public var source: ImageSource
    /// The bytes of the original file, if the load had them; `nil` for an image from memory, except with
    /// `LoadOptions.queryMemoryData`.
    public var data: Data?
    /// The request.
    public var request: ImageRequest
    /// How long each stage took.
    public var timeline: LoadTimeline

    /// Creates a response.
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

    init(_ loaded: LoadedImage, _ request: ImageRequest) {
        self.init(
            image: loaded.image.scaled(request), source: loaded.source, data: loaded.data, request: request,
            timeline: loaded.timeline)
    }
}

extension DecodedImage {
    /// The same pixels with the scale of a request.
    func scaled(_ request: ImageRequest) -> DecodedImage {
        var image = self
        image.scale = request.resultScale
        return image
    }
}
