import EaselFoundation

/// Decodes, transforms and encodes: decodes and transforms on the load's thread, as many at a time as there are
/// processors.
struct ImageProcessor {
    let coders: CoderRegistry
    let admission = Admission.decodes

    init(coders: CoderRegistry) { self.coders = coders }

    /// Returns the coders of a request: its own one, or all of the manager's.
    func coders(of request: ImageRequest) -> CoderRegistry {
        request.coder.map { CoderRegistry(only: $0.value) } ?? coders
    }

    /// Returns the options to decode the file of a request with.
    func options(_ request: ImageRequest) -> DecodeOptions {
        var options = DecodeOptions(
            targetSize: request.decodedSize, frame: request.frame, colorSpace: request.colorSpace,
            depth: request.depth, limits: request.limits, allowsPartial: request.options.contains(.allowPartial),
            isCancelled: { Task.isCancelled })
        options.hdrHeadroom = request.hdrHeadroom
        return options
    }

    /// Decodes a file at the requested size.
    func decode(
        _ file: LoadedData, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> LoadedImage {
        let options = options(request)
        let prepared = try await (request.coder?.value as? any PreparedDecoding)?.prepare(file.data)
        let coders = prepared.map { CoderRegistry(only: $0.decoder) } ?? coders(of: request)
        let (image, duration) = try await run(.decode, request, context) { () throws(ImageError) in
            try coders.image(in: file.data, options, request.options)
        }
        var loaded = LoadedImage(
            image: image, source: file.source, data: file.data, provenance: file.provenance, timeline: file.timeline)
        loaded.timeline[.decode] = duration
        loaded.permit = prepared?.permit
        return loaded
    }

    /// Applies one transform of a request, if it applies to the image.
    func apply(
        _ transform: ImageTransform, of request: ImageRequest, to image: inout LoadedImage, _ context: LoadContext
    ) async throws(ImageError) {
        let before = image.image
        guard request.transforms(before) else { return }
        let (transformed, duration) = try await run(.transform, request, context) { () throws(ImageError) in
            try before.applying([transform], isCancelled: { Task.isCancelled })
        }
        image.image = transformed
        image.timeline[.transform] = (image.timeline[.transform] ?? .zero) + duration
    }

    /// Decodes or transforms a preview, which is not a stage of a load.
    func makePreview<Preview: Sendable>(
        _ request: ImageRequest, _ context: LoadContext, _ make: () throws(ImageError) -> Preview
    ) async throws(ImageError) -> Preview {
        try await run(nil, request, context, make).value
    }

    /// Encodes an image for the cache. Returns `nil` if there is no encoder for it, or it fails.
    func encode(_ image: DecodedImage, _ request: ImageRequest) async -> Data? {
        let own = request.coder?.value as? any ImageEncoding
        guard let encoder = own ?? coders.encoder(toKeep: image) else { return nil }
        let options = request.cache.encoding ?? EncodeOptions(quality: 0.95)
        return try? await WorkerPool.pixels.run { () throws(ImageError) in try encoder.encode(image, options) }
    }

    /// Returns whether a file can be decoded completely. A file that exceeds only the limits of this request can.
    func isSound(_ file: LoadedData, _ request: ImageRequest) async -> Bool {
        // The smallest size reads all of the bytes too.
        let options = DecodeOptions(targetSize: .pixels(width: 1, height: 1), limits: request.limits)
        let coders = coders(of: request)
        do throws(ImageError) {
            _ = try await WorkerPool.pixels.run { () throws(ImageError) in
                try coders.decoder(for: file.data).decode(file.data, options)
            }
            return true
        } catch let error where error.code == .tooLarge {
            return true
        } catch {
            return false
        }
    }

    /// Checks the signature.
    ///
    /// - Throws: `ImageError.badData` for bytes that no coder accepts.
    func checkIsImage(_ data: Data, _ request: ImageRequest) throws(ImageError) {
        _ = try coders(of: request).decoder(for: data)
    }

    /// Runs `body` when it is admitted, and as a stage of the load unless that is `nil`.
    private func run<Value: Sendable>(
        _ stage: LoadStage?, _ request: ImageRequest, _ context: LoadContext, _ body: () throws(ImageError) -> Value
    ) async throws(ImageError) -> (value: Value, duration: Duration) {
        try await admission.run(context) { _ throws(ImageError) in
            let started = ContinuousClock.now
            let span = stage.flatMap { context.observation?.begin($0, request) }
            do throws(ImageError) {
                let value = try await WorkerPool.loads.run(body)
                span?.end()
                return (value, .now - started)
            } catch {
                span?.end(.failed(error))
                throw error
            }
        }
    }
}
