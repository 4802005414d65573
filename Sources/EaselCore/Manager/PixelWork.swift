import EaselFoundation

/// Decoding and transforming: on the thread that the load is on, no more at a time than there are cores, the most urgent first.
/// Encoding: on the pixel threads.
struct PixelWork {
    let coders: CoderRegistry
    let admission = Admission.decodes

    init(coders: CoderRegistry) {
        self.coders = coders
    }

    /// The picture that a file holds, at the size that is asked for.
    func decode(
        _ file: LoadedData, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> Pipeline.Picture {
        let options = options(request)
        let coders = coders(of: request)
        let (image, time) = try await timed(context, .decode, request) { () throws(ImageError) in
            try coders.image(in: file.data, options, request.options)
        }
        var picture = Pipeline.Picture(image: image, source: file.source, data: file.data, timeline: file.timeline)
        picture.timeline.decode = time
        picture.provenance = file.provenance
        return picture
    }

    /// Who decodes and encodes for a request: its own coder, or all (X022).
    func coders(of request: ImageRequest) -> CoderRegistry {
        request.coder.map { CoderRegistry(only: $0.value) } ?? coders
    }

    /// How a request's file is decoded.
    func options(_ request: ImageRequest) -> DecodeOptions {
        DecodeOptions(
            targetSize: request.decodedSize, frame: request.frame, colorSpace: request.colorSpace,
            depth: request.depth, limits: request.limits, allowsPartial: request.options.contains(.allowPartial),
            isCancelled: { Task.isCancelled })
    }

    /// What there is to show of a picture that is on its way.
    func preview(
        _ context: LoadContext, of picture: ArrivingPicture, onlySufficient: Bool
    ) async throws(ImageError) -> ImagePreview? {
        try await timed(context) { () throws(ImageError) in picture.preview(onlySufficient: onlySufficient) }.0
    }

    /// The picture after one transform of the request, where that is for it.
    func apply(
        _ transform: ImageTransform, of request: ImageRequest, to picture: inout Pipeline.Picture,
        _ context: LoadContext
    ) async throws(ImageError) {
        let before = picture.image
        guard request.transforms(before) else { return }
        let (image, time) = try await timed(context, .transform, request) { () throws(ImageError) in
            try before.applying([transform], isCancelled: { Task.isCancelled })
        }
        picture.image = image
        picture.timeline.transform = (picture.timeline.transform ?? .zero) + time
    }

    /// A preview after one transform.
    func applied(
        _ transform: ImageTransform, to image: DecodedImage, _ context: LoadContext
    ) async throws(ImageError) -> DecodedImage {
        try await timed(context) { () throws(ImageError) in
            try image.applying([transform], isCancelled: { Task.isCancelled })
        }.0
    }

    /// The file that a made picture is kept in; `nil` where no encoder is there, or it fails (X081).
    func encoded(_ image: DecodedImage, _ request: ImageRequest) async -> Data? {
        let own = request.coder?.value as? any ImageEncoding
        guard let encoder = own ?? coders.encoder(toKeep: image) else { return nil }
        let options = request.cache.encoding ?? EncodeOptions(quality: 0.95)
        return try? await WorkerPool.pixels.run { () throws(ImageError) in
            try encoder.encode(image, options)
        }
    }

    /// Whether a file decodes to its end. What only the limits of this request refuse counts as sound.
    func isSound(_ file: LoadedData, _ request: ImageRequest) async -> Bool {
        // As few pixels as the coder can make of it: the bytes are read all the same.
        let options = DecodeOptions(targetSize: .pixels(width: 1, height: 1), limits: request.limits)
        let coders = coders(of: request)
        do throws(ImageError) {
            _ = try await WorkerPool.pixels.run { () throws(ImageError) in
                try coders.decoder(for: file.data).decode(file.data, options)
            }
            return true
        } catch .tooLarge {
            return true
        } catch {
            return false
        }
    }

    /// - Throws: `ImageError.badData` for bytes that no coder takes.
    func checkIsImage(_ data: Data, _ request: ImageRequest) throws(ImageError) {
        _ = try coders(of: request).decoder(for: data)
    }

    /// `body` as a stage of a request's way.
    private func timed<Value: Sendable>(
        _ context: LoadContext, _ stage: LoadStage, _ request: ImageRequest, _ body: () throws(ImageError) -> Value
    ) async throws(ImageError) -> (Value, Duration) {
        try await timed(context) { () throws(ImageError) in
            let span = context.observation?.begin(stage, request)
            do throws(ImageError) {
                let value = try body()
                span?.end()
                return value
            } catch {
                span?.end(.failed(error))
                throw error
            }
        }
    }

    private func timed<Value: Sendable>(
        _ context: LoadContext, _ body: () throws(ImageError) -> Value
    ) async throws(ImageError) -> (Value, Duration) {
        try await admission.run(context) { _ throws(ImageError) in
            let started = ContinuousClock.now
            let value = try await WorkerPool.loads.run(body)
            return (value, .now - started)
        }
    }
}
