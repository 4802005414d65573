import EaselFoundation
import Synchronization

/// Images before the end of a load: decoded from what has arrived of the file.
extension LoadPipeline {
    enum Arrival {
        case complete(SharedFile)
        /// What had arrived was enough for the request.
        case sufficient(LoadedImage)
    }

    /// Fetches the original file and delivers previews of it to loads that want them. If the request allows it, a preview that is good
    /// enough ends the fetch.
    func fetchShowingPreviews(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Arrival {
        let task = CancellableTask()
        let previews = Previews(request, processor, context, didSuffice: { task.cancel() })
        let maker = PreviewMaker(interval: request.mayStopEarly ? .zero : previewInterval, clock: clock) {
            await previews.make()
        }
        defer {
            previews.end()
            maker.end()
        }
        let fetch: @Sendable () async throws(ImageError) -> SharedFile = { [self] () throws(ImageError) in
            try await context.relay({ update in
                guard case .arriving(let file) = update else { return context.report(update) }
                previews.follow(file)
                file.observe { if previews.isWanted { maker.didReceive() } }
            }) { context throws(ImageError) in
                try await self.fetch(request, context)
            }
        }
        guard request.mayStopEarly else { return .complete(try await fetch()) }
        do throws(ImageError) {
            return .complete(try await task.run(fetch))
        } catch {
            guard error == .cancelled, let sufficient = previews.sufficient else { throw error }
            return .sufficient(makeImage(from: sufficient, request))
        }
    }

    private func makeImage(from preview: Previews.Sufficient, _ request: ImageRequest) -> LoadedImage {
        var image = LoadedImage(image: preview.image, source: .network)
        image.provenance = Provenance(response: preview.response)
        image.provenance.mayBeKept = mayBeStored(preview.response, request)
        image.provenance.stamp = known.stamp()
        image.timeline.bytesReceived = preview.bytesReceived
        image.timeline.bytesSaved = preview.bytesSaved
        image.timeline.requests = 1
        return image
    }

    /// Runs `body`, and applies `transform` to its previews.
    func transformingPreviews(
        by transform: ImageTransform, of request: ImageRequest, _ context: LoadContext,
        _ body: (LoadContext) async throws(ImageError) -> LoadedImage
    ) async throws(ImageError) -> LoadedImage {
        let latest = LatestPreview()
        let maker = PreviewMaker(interval: .zero, clock: clock) { [processor] in
            guard let image = latest.take(),
                let preview = try? await processor.apply(transform, toPreview: image, context), !Task.isCancelled
            else { return }
            context.report(.preview(preview))
        }
        defer { maker.end() }
        return try await context.relay(
            { update in
                guard case .preview(let image) = update, request.transforms(image) else {
                    return context.report(update)
                }
                latest.put(image)
                maker.didReceive()
            }, body)
    }
}

/// The previews of one image while its original file arrives.
private final class Previews: Sendable {
    private struct State {
        var image: ArrivingImage?
        var sufficient: Sufficient?
        var isEnded = false
    }

    /// A preview that is all that the request needs.
    struct Sufficient {
        let image: DecodedImage
        let response: StoredResponse?
        let bytesReceived: Int
        let bytesSaved: Int
    }

    private let request: ImageRequest
    private let processor: ImageProcessor
    private let context: LoadContext
    private let didSuffice: @Sendable () -> Void
    private let state = Mutex(State())

    /// If less than this is left to arrive, the connection is worth more than the bytes.
    private static let leastSaving = 16 << 10

    init(
        _ request: ImageRequest, _ processor: ImageProcessor, _ context: LoadContext,
        didSuffice: @escaping @Sendable () -> Void
    ) {
        self.request = request
        self.processor = processor
        self.context = context
        self.didSuffice = didSuffice
    }

    var sufficient: Sufficient? { state.withLock { $0.sufficient } }

    var isWanted: Bool { request.frame == 0 && (request.mayStopEarly || context.demand.wantsPreviews) }

    /// Makes previews of `file` from now on. Each attempt of a download has a separate file.
    func follow(_ file: ArrivingFile) {
        let image = ArrivingImage(
            file, processor.options(request), coders: processor.coders(of: request), isAnimated: request.wantsAnimation)
        state.withLock { $0.image = $0.isEnded ? nil : image }
    }

    /// Ends the previews. None is delivered after this.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.image = nil
        }
    }

    /// Delivers a preview of what has arrived, if it is new.
    func make() async {
        guard let image = state.withLock({ $0.image }) else { return }
        let isShown = context.demand.wantsPreviews
        guard let preview = try? await processor.decodePreview(of: image, onlySufficient: !isShown, context),
            state.withLock({ $0.image === image })
        else { return }
        if isShown { context.report(.preview(preview.image)) }
        guard preview.isSufficient, request.mayStopEarly else { return }
        let (file, received) = (image.file, image.file.count)
        let rest = file.expected.map { $0 - received } ?? 0
        guard file.expected == nil || rest >= Self.leastSaving else { return }
        var decoded = preview.image
        decoded.metadata.isPartial = false
        decoded.noteSampling()
        let isFirst = state.withLock { state in
            guard state.image === image, state.sufficient == nil else { return false }
            state.sufficient = Sufficient(
                image: decoded, response: file.response, bytesReceived: received, bytesSaved: rest)
            return true
        }
        if isFirst { didSuffice() }
    }
}

/// The last preview that has not been transformed.
private final class LatestPreview: Sendable {
    private let image = Mutex<DecodedImage?>(nil)

    func put(_ image: DecodedImage) { self.image.withLock { $0 = image } }

    func take() -> DecodedImage? { image.withLock { exchange(&$0, with: nil) } }
}
