#if Server
import EaselCodecs
import EaselCore
import EaselFoundation
import EaselServerTiers
import EaselServerURLs
import NIOCore
import Tracing

/// A result to make.
struct ResultJob: Sendable {
    var parsed: ParsedURL
    var variant: ResultVariant
    var client: ClientKey
    /// A stale result, which is used again if its source has not changed.
    var previous: ImageResult?
}

/// Makes results: loads the source, decodes and transforms it through an `ImageManager`, and encodes.
struct ResultMaker: Sendable {
    var manager: ImageManager
    var coders: CoderRegistry
    var encoding: EncodingSettings
    var limits: ResultLimits
    var sourceLimits: ImageLimits
    var sourceTimeout: Duration
    var lifetimes: LifetimeRules
    var watermark: WatermarkImage?
    /// Admits pixels, by their bytes.
    var gate: AdmissionGate
    var metrics: ServerMetrics
    private let sharing = SharedDecoding()

    /// Returns the result for a job.
    ///
    /// - Throws: The reason why there is none.
    func make(_ job: ResultJob) async throws(ServerError) -> ImageResult {
        do throws(ImageError) {
            let url = job.parsed.url
            if url.kind == .info { return try await makeDescription(job) }
            if url.options.isRaw { return try await makeCopy(of: url.location, job) }
            return try await makeImage(job)
        } catch {
            throw ServerError(error)
        }
    }

    // MARK: - Images

    private func makeImage(_ job: ResultJob) async throws(ImageError) -> ImageResult {
        let options = job.parsed.url.options.applying(job.variant.hints)
        var request = try self.request(for: job.parsed.url.location, options.limits)
        let decoding = PlannedDecoding(
            coders: coders, options: options, watermark: watermark, limits: limits, sourceLimits: request.limits,
            client: job.client, gate: gate, source: job.parsed.url.source, sharing: sharing, metrics: metrics,
            knownVersion: job.previous?.sourceVersion)
        request.coder = Identified(decoding.name, decoding)
        let member = sharing.join(job.parsed.url.source)
        let response = try await manager.load(request).response
        withExtendedLifetime(member) {}
        if response.image.metadata.isPlaceholder, var previous = job.previous {
            previous.lifetime = lifetime(of: request, madeOf: previous.sourceVersion)
            metrics.count(.unchanged)
            return previous
        }
        guard let header = response.image.metadata.header, let data = response.data else {
            throw .unsupported("The source has no header.")
        }
        if options.skipsProcessing(of: header.format) {
            return result(of: data, header.format, data, request)
        }
        let started = ContinuousClock.now
        let chosen = options.encoding(
            for: header, accepts: job.variant.accepts, settings: encoding, isUnderLoad: gate.load.waiting > 0)
        let span = InstrumentationSystem.tracer.startSpan("easel.encode")
        defer { span.end() }
        let encoded = try await encode(response, header, data, chosen, options)
        metrics.observe(.encode, format: chosen.format.name, .now - started)
        // The permit ends here, after the pixels.
        withExtendedLifetime(response) {}
        return result(of: encoded, chosen.format, data, request)
    }

    private func encode(
        _ response: ImageResponse, _ header: ImageHeader, _ data: Data, _ chosen: ChosenEncoding,
        _ options: ProcessingOptions
    ) async throws(ImageError) -> Data {
        guard let encoder = coders.encoder(for: chosen.format) else {
            throw .unsupported("This server cannot write \(chosen.format.name).")
        }
        let (coders, limits, watermark) = (coders, limits, watermark)
        return try await WorkerPool.pixels.run { () throws(ImageError) in
            var encodeOptions = chosen.options
            let decoder = try coders.decoder(for: data)
            if let reader = decoder as? any MetadataReading, !(options.stripsMetadata && !options.keepsCopyright) {
                encodeOptions.metadata = options.metadata(of: (try? reader.metadata(of: data)) ?? FileMetadata())
            }
            guard chosen.keepsAnimation, header.frameCount > 1, let encoder = encoder as? any AnimationEncoding else {
                return try encoder.encode(response.image, encodeOptions)
            }
            let plan = try options.loadPlan(for: header, keepsAnimation: true, watermark: watermark, limits: limits)
            let decodeOptions = DecodeOptions(
                limits: response.request.limits, isCancelled: { Task.isCancelled }
            ).following(plan)
            let frames = try AnimationFrames(of: data, decoder, decodeOptions) { (image) throws(ImageError) in
                try image.applying(plan.transforms, isCancelled: { Task.isCancelled })
            }
            return try encoder.encode(frames, encodeOptions)
        }
    }

    // MARK: - Copies and descriptions

    /// Returns the source as it is.
    private func makeCopy(of location: SourceLocation, _ job: ResultJob) async throws(ImageError) -> ImageResult {
        let options = job.parsed.url.options
        let request = try self.request(for: location, options.limits, isForFile: true)
        let data = try await manager.data(for: request).data
        let header = try await header(of: data, request.limits)
        try options.limits.check(header)
        return result(of: data, header.format, data, request)
    }

    /// Returns the description of the source, as JSON.
    private func makeDescription(_ job: ResultJob) async throws(ImageError) -> ImageResult {
        let info = job.parsed.url.info
        let request = try self.request(for: job.parsed.url.location, isForFile: true)
        let data = try await manager.data(for: request).data
        let header = try await header(of: data, request.limits)
        let weight = (header.storedSize.area ?? 0) * 4
        let permit = info.needsPixels ? try await gate.enterLoad(job.client, weight: weight) : nil
        let coders = coders
        let json = try await WorkerPool.pixels.run { () throws(ImageError) in
            let decoder = try coders.decoder(for: data)
            let metadata = info.includesEXIF ? try? (decoder as? any MetadataReading)?.metadata(of: data) : nil
            let options = DecodeOptions(
                targetSize: .pixels(width: 256, height: 256), frame: info.page, limits: request.limits,
                isCancelled: { Task.isCancelled })
            let pixels = info.needsPixels ? try decoder.decode(data, options).pixels : nil
            return try ImageInfo(
                info, header: header, byteCount: data.count, metadata: metadata, pixels: pixels,
                isCancelled: { Task.isCancelled }
            ).json
        }
        withExtendedLifetime(permit) {}
        let version = SourceFacts.version(of: data)
        return ImageResult(
            body: ByteBuffer(bytes: json), mediaType: "application/json", sourceVersion: version, created: Date(),
            lifetime: lifetime(of: request, madeOf: version))
    }

    private func header(of data: Data, _ limits: ImageLimits) async throws(ImageError) -> ImageHeader {
        let coders = coders
        return try await WorkerPool.pixels.run { () throws(ImageError) in
            let header = try coders.decoder(for: data).header(of: data)
            try limits.check(header)
            return header
        }
    }

    private func result(
        of bytes: Data, _ format: ImageFormat, _ source: Data, _ request: ImageRequest
    ) -> ImageResult {
        let version = SourceFacts.version(of: source)
        return ImageResult(
            body: ByteBuffer(bytes: bytes), mediaType: format.mediaType, sourceVersion: version, created: Date(),
            lifetime: lifetime(of: request, madeOf: version))
    }

    /// Returns the lifetime of a result. It is stale if a revalidation has replaced the source since it was read.
    private func lifetime(of request: ImageRequest, madeOf version: String) -> ImageResult.Lifetime {
        var facts = manager.sourceFacts(of: request)
        if let current = facts?.version, current != version {
            facts?.freshUntil = Date()
            facts?.hasLifetime = true
        }
        return lifetimes.lifetime(facts)
    }

    // MARK: - Sources

    private func request(
        for location: SourceLocation, _ limits: ProcessingOptions.LimitOptions? = nil, isForFile: Bool = false
    ) throws(ImageError) -> ImageRequest {
        var request = ImageRequest(try Self.url(of: location))
        request.http.policy = .standard
        request.http.timeouts = HTTPTimeouts(connect: sourceTimeout, idle: sourceTimeout)
        request.retry = .exponential(attempts: 1)
        request.options = [.decodeFirstFrameOnly]
        // Storing in memory takes no time, and a removal then finds the file.
        if manager.cache is SourceMemory { request.options.insert(.waitStoreCache) }
        request.avoidsDefaultTransforms = true
        if isForFile { request.coder = Identified("server:file", FileCheck(coders: coders)) }
        // Results are kept instead of pixels.
        request.cache.query = isForFile ? .disk : []
        request.cache.store = isForFile ? .disk : []
        request.limits = sourceLimits
        request.limits.pixels = limits?.sourcePixels ?? sourceLimits.pixels
        request.limits.bytes = limits?.sourceBytes ?? sourceLimits.bytes
        request.limits.frames = limits?.frames ?? sourceLimits.frames
        return request
    }

    static func url(of location: SourceLocation) throws(ImageError) -> URL {
        switch location {
        case .remote(let url): return url
        case .object(let bucket, let key): return try url("s3://\(bucket)/\(PercentEncoding.encode(key, except: "/"))")
        case .file(let path): return try url("local:///\(PercentEncoding.encode(path, except: "/"))")
        }
    }

    private static func url(_ text: String) throws(ImageError) -> URL {
        guard let url = URL(string: text) else { throw .invalidURL("The source is no URL.") }
        return url
    }
}
#endif
