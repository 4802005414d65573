import EaselFoundation
import Synchronization

/// Images before the end of a load, decoded from the bytes that have arrived.
extension LoadPipeline {
    enum Arrival {
        case complete(SharedFile)
        /// The bytes so far suffice for the request.
        case sufficient(LoadedImage)
    }

    private final class EarlyEnd: Sendable {
        let task = CancellableTask()
        let image = Mutex<LoadedImage?>(nil)
        /// The image of the current attempt. Its file, which other loads may share, does not retain it.
        let arriving = Mutex<ArrivingImage?>(nil)
    }

    /// The smallest number of remaining bytes for which ending a download early is worth the connection.
    private static let leastSaving = 16 << 10

    /// Fetches the original file, and delivers previews to the loads that request them. If the request allows it, a
    /// preview that has enough detail ends the fetch.
    func fetchShowingPreviews(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> Arrival {
        let end = EarlyEnd()
        let maker = PreviewMaker<ArrivingImage>(
            interval: request.mayStopEarly ? .zero : configuration.previewInterval, clock: configuration.clock
        ) { [self] arriving in
            guard let image = await deliverPreview(of: arriving, request, context) else { return }
            end.image.withLock { $0 = image }
            end.task.cancel()
        }
        defer { maker.end() }
        let fetch: @Sendable () async throws(ImageError) -> SharedFile = { [self] () throws(ImageError) in
            try await context.relay({ [processor] update in
                guard case .arriving(let file) = update else { return context.report(update) }
                guard request.frame == 0 else { return }
                // Each attempt of a download has a separate file.
                let image = ArrivingImage(file, processor.options(request), processor.coders(of: request), request)
                end.arriving.withLock { $0 = image }
                file.observe { [weak maker, weak image, weak context, mayStopEarly = request.mayStopEarly] in
                    guard let maker, let image, let context, mayStopEarly || context.demand.wantsPreviews else {
                        return
                    }
                    maker.didReceive(image)
                }
            }) { context throws(ImageError) in
                try await self.fetch(request, context)
            }
        }
        guard request.mayStopEarly else { return .complete(try await fetch()) }
        do throws(ImageError) {
            return .complete(try await end.task.run(fetch))
        } catch {
            guard error.code == .cancelled, let image = end.image.withLock({ $0 }) else { throw error }
            return .sufficient(image)
        }
    }

    /// Delivers a preview of the bytes so far, if it is new. Returns the image if it suffices for the request.
    private func deliverPreview(
        of arriving: ArrivingImage, _ request: ImageRequest, _ context: LoadContext
    ) async -> LoadedImage? {
        let isShown = context.demand.wantsPreviews
        let decoded = try? await processor.makePreview(request, context) { () throws(ImageError) in
            arriving.decodePreview(onlySufficient: !isShown)
        }
        guard let preview = decoded ?? nil, !Task.isCancelled else { return nil }
        if isShown { context.report(.preview(preview.image)) }
        let (file, received) = (arriving.file, arriving.file.count)
        let rest = file.expected.map { $0 - received }
        guard preview.isSufficient, request.mayStopEarly, (rest ?? .max) >= Self.leastSaving else { return nil }
        var image = LoadedImage(image: preview.image, source: .network)
        image.image.metadata.isPartial = false
        image.image.noteSampling()
        image.provenance = Provenance(response: file.response)
        image.provenance.mayBeKept = mayBeStored(file.response, request)
        image.provenance.stamp = known.stamp()
        image.timeline.bytesReceived = received
        image.timeline.bytesSaved = rest ?? 0
        image.timeline.requests = 1
        return image
    }

    /// Runs `body`, and applies `transform` to its previews.
    func transformingPreviews(
        by transform: ImageTransform, of request: ImageRequest, _ context: LoadContext,
        _ body: (LoadContext) async throws(ImageError) -> LoadedImage
    ) async throws(ImageError) -> LoadedImage {
        let maker = PreviewMaker<DecodedImage>(interval: .zero, clock: configuration.clock) { [processor] image in
            let preview = try? await processor.makePreview(request, context) { () throws(ImageError) in
                try image.applying([transform], isCancelled: { Task.isCancelled })
            }
            if let preview, !Task.isCancelled { context.report(.preview(preview)) }
        }
        defer { maker.end() }
        return try await context.relay(
            { update in
                if case .preview(let image) = update, request.transforms(image) {
                    maker.didReceive(image)
                } else {
                    context.report(update)
                }
            }, body)
    }
}

/// A producer of previews until it is ended: one at a time, of the latest input, and not too soon after the one before.
final class PreviewMaker<Input: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isEnded = false
    }

    private let inputs: AsyncStream<Input>.Continuation
    private let run: @Sendable () async -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: The least time from the beginning of one preview to that of the next.
    ///   - make: Makes a preview and delivers it. `end()` cancels it.
    init(interval: Duration, clock: LoadClock, make: @escaping @Sendable (Input) async -> Void) {
        let (stream, inputs) = AsyncStream.makeStream(of: Input.self, bufferingPolicy: .bufferingNewest(1))
        self.inputs = inputs
        run = {
            for await input in stream where !Task.isCancelled {
                let began = clock.now()
                await make(input)
                // A slow preview is followed by a pause of the same length, so that previews take at most half of a
                // processor.
                let duration = clock.now() - began
                let pause = max(interval - duration, duration)
                if pause > .zero { try? await clock.sleep(pause) }
            }
        }
    }

    func didReceive(_ input: Input) {
        inputs.yield(input)
        state.withLock { state in
            guard state.task == nil, !state.isEnded else { return }
            state.task = Task(executorPreference: WorkerPool.loads, operation: run)
        }
    }

    func end() {
        inputs.finish()
        let task = state.withLock { state in
            state.isEnded = true
            return state.task
        }
        task?.cancel()
    }
}

/// The image in an arriving file, decoded as far as possible.
final class ArrivingImage: Sendable {
    private struct State {
        var decoder: (any IncrementalDecoder)?
        /// The number of bytes that the decoder has.
        var decodedCount = 0
        /// Whether there will be no preview: the format has none, or the file is damaged.
        var isOver = false
        /// The last preview of the first frame.
        var firstFrame: DecodedImage?
        var animation: ArrivingAnimation?
    }

    let file: ArrivingFile
    private let options: DecodeOptions
    private let coders: CoderRegistry
    private let isAnimated: Bool
    /// Locked while decoding. Only one task decodes an image.
    private let state = Mutex(State())

    init(_ file: ArrivingFile, _ options: DecodeOptions, _ coders: CoderRegistry, _ request: ImageRequest) {
        self.file = file
        self.options = options
        self.coders = coders
        isAnimated = request.wantsAnimation
    }

    /// Returns a preview if there is a new one, with the frames of an animation that have arrived. Blocks for as long
    /// as a decode.
    ///
    /// A damaged file is not an error here: decoding the complete file reports it.
    func decodePreview(onlySufficient: Bool) -> ImagePreview? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            do throws(ImageError) {
                return try decodePreview(&state, onlySufficient)
            } catch {
                state = State(isOver: true)
                return nil
            }
        }
    }

    private func decodePreview(_ state: inout State, _ onlySufficient: Bool) throws(ImageError) -> ImagePreview? {
        let bytes = file.bytes(from: state.decodedCount)
        guard !bytes.isEmpty else { return nil }
        if state.decoder == nil {
            // Enough for the signature of every format.
            guard bytes.count >= 64 else { return nil }
            guard let coder = try coders.decoder(for: bytes) as? any IncrementalDecoding else {
                state.isOver = true
                return nil
            }
            state.decoder = coder.makeIncrementalDecoder(options)
            if isAnimated { state.animation = (coder as? any AnimationDecoding).map { ArrivingAnimation(coder: $0) } }
        }
        state.decodedCount += bytes.count
        try state.decoder?.append(bytes)
        if onlySufficient, state.decoder?.isSufficient != true { return nil }
        let preview = try state.decoder?.imagePreview()
        state.firstFrame = preview?.image ?? state.firstFrame
        guard var image = state.firstFrame, let animation = state.animation?.makeAnimation(of: file, options) else {
            return preview
        }
        image.animation = animation
        return ImagePreview(image: image)
    }
}

/// The complete frames of an arriving animation.
private struct ArrivingAnimation {
    let coder: any AnimationDecoding
    private var frameCount = 1
    private var nextCount = 0

    init(coder: any AnimationDecoding) { self.coder = coder }

    /// Returns an animation of the frames that have arrived, if there are more than in the last one.
    ///
    /// Each copies the file. A quarter more of the file has to arrive between two, so that all copies together are a
    /// few times as large as the file.
    mutating func makeAnimation(of file: ArrivingFile, _ options: DecodeOptions) -> Animation? {
        guard file.count >= nextCount else { return nil }
        let data = file.bytes(from: 0)
        nextCount = data.count + data.count / 4
        guard let header = coder.header(ofBeginning: data), header.frameCount > frameCount,
            (try? options.limits.check(header)) != nil
        else { return nil }
        frameCount = header.frameCount
        return Animation(data: data, header: header, coder: coder, options: options, isArriving: true)
    }
}
