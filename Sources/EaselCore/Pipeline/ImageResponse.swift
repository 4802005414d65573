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
    public var timeline = LoadTimeline()
}

/// An event of a load. The last one is `finished`, and there is exactly one.
public enum LoadEvent: Sendable {
    /// Bytes have arrived.
    case progress(LoadProgress)
    /// The cached image, while `LoadOptions.refreshCached` asks the server.
    indirect case cached(ImageResponse)
    /// An image of less detail than the final one, or the request's placeholder (`ImageMetadata.isPlaceholder`).
    indirect case preview(ImageResponse)
    /// The end of the load.
    indirect case finished(Result<ImageResponse, ImageError>)
}

extension ImageResponse {
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
