#if Server
import EaselCore
import EaselFoundation
import EaselServerURLs

/// Decodes a source as a URL asks for it: reads the header, plans the pixels, and waits until there is memory for them.
struct PlannedDecoding: PreparedDecoding {
    var coders: CoderRegistry
    var options: ProcessingOptions
    var watermark: WatermarkImage?
    var limits: ResultLimits
    var sourceLimits: ImageLimits
    var client: ClientKey
    var gate: AdmissionGate
    /// The URL of the source, by which results share a decode.
    var source: String
    var sharing: SharedDecoding
    var metrics: ServerMetrics
    /// The version of the source that a previous result was made of. If the source still has it, nothing is decoded.
    var knownVersion: String?

    /// The name of the decode, for `ImageRequest.coder`: equal decodes have the same.
    var name: String { "server:\(options.pixelKey):\(knownVersion ?? "")" }

    fileprivate static let anyFormat = ImageFormat("any") { _ in true }
    var format: ImageFormat { Self.anyFormat }

    func header(of data: Data) throws(ImageError) -> ImageHeader { try coders.decoder(for: data).header(of: data) }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try plan(data).decode(data, options)
    }

    func prepare(_ file: Data) async throws(ImageError) -> PreparedDecode {
        if let knownVersion, SourceFacts.version(of: file) == knownVersion {
            return PreparedDecode(decoder: UnchangedDecoding(), permit: NoPermit())
        }
        let planned = try await WorkerPool.loads.run { () throws(ImageError) in try plan(file) }
        if let whole = try await sharedImage(of: file, planned) {
            return PreparedDecode(
                decoder: ScaledDecoding(whole: whole, planned: planned), permit: whole.permit)
        }
        let permit = try await gate.enterLoad(client, weight: planned.byteCount)
        return PreparedDecode(decoder: planned, permit: permit)
    }

    /// Returns the whole image that results of the source share; `nil` if this one is decoded alone.
    private func sharedImage(of file: Data, _ planned: PlannedImage) async throws(ImageError) -> SharedDecoding.Whole? {
        let plan = planned.plan
        guard plan.targetSize != .original else { return nil }
        let key = SharedDecoding.Key(source: source, frame: plan.frame, colorSpace: plan.colorSpace)
        return try await sharing.image(of: file, planned.format, key) { () async throws(ImageError) in
            // The memory of the results too, so that none waits for more while it holds this.
            let permit = try await gate.enterLoad(client, weight: planned.wholeByteCount)
            let image = try await WorkerPool.pixels.run { () throws(ImageError) in
                try planned.decodeWhole(file, limits: sourceLimits)
            }
            return (image, permit)
        }
    }

    private func plan(_ file: Data) throws(ImageError) -> PlannedImage {
        let decoder = try coders.decoder(for: file)
        let header = try decoder.header(of: file)
        try sourceLimits.check(header)
        try options.limits.check(header)
        let plan = try options.loadPlan(for: header, keepsAnimation: false, watermark: watermark, limits: limits)
        return PlannedImage(decoder: decoder, plan: plan, sourceSize: header.storedSize, metrics: metrics)
    }
}

extension ProcessingOptions {
    /// Returns the plan for a source, with the error of a load.
    func loadPlan(
        for header: ImageHeader, keepsAnimation: Bool, watermark: WatermarkImage?, limits: ResultLimits
    ) throws(ImageError) -> ProcessingPlan {
        do throws(ImageURLError) {
            return try plan(for: header, keepsAnimation: keepsAnimation, watermark: watermark, limits: limits)
        } catch {
            throw ImageError(error)
        }
    }
}

extension ProcessingOptions.LimitOptions {
    /// Refuses an animation whose frames have too many pixels.
    func check(_ header: ImageHeader) throws(ImageError) {
        guard let framePixels, framePixels > 0, header.frameCount > 1 else { return }
        if header.storedSize.area ?? .max > framePixels {
            throw .tooLarge(.pixels(header.storedSize, limit: framePixels))
        }
    }
}

extension AdmissionGate {
    /// Waits for the turn of a job, and throws the error of a load.
    func enterLoad(_ client: ClientKey, weight: Int) async throws(ImageError) -> Permit {
        do throws(Refusal) {
            return try await enter(client, weight: weight)
        } catch {
            throw error == .cancelled ? .cancelled : ServerError.full(retryAfter: 1).imageError
        }
    }
}

/// A decoder of one file with a plan.
private struct PlannedImage: ImageDecoding {
    let decoder: any ImageDecoding
    let plan: ProcessingPlan
    let sourceSize: PixelSize
    let metrics: ServerMetrics

    var format: ImageFormat { decoder.format }
    var byteCount: Int { plan.byteCount }
    /// The bytes of a decode at the size of the source.
    var wholeByteCount: Int { plan.byteCount + 4 * (sourceSize.area ?? 0) }

    func header(of data: Data) throws(ImageError) -> ImageHeader { try decoder.header(of: data) }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try measure { () throws(ImageError) in
            let image = try decoder.decode(data, options.following(plan))
            return try image.applying(plan.transforms, isCancelled: options.isCancelled)
        }
    }

    /// Decodes at the size of the source, without transforms.
    func decodeWhole(_ data: Data, limits: ImageLimits) throws(ImageError) -> DecodedImage {
        try measure { () throws(ImageError) in
            let options = DecodeOptions(
                frame: plan.frame, colorSpace: plan.colorSpace, limits: limits, isCancelled: { Task.isCancelled })
            return try decoder.decode(data, options)
        }
    }

    /// Reports the time of a decode, also of one that fails.
    private func measure(_ decode: () throws(ImageError) -> DecodedImage) throws(ImageError) -> DecodedImage {
        let started = ContinuousClock.now
        defer { metrics.observe(.decode, format: format.name, .now - started) }
        return try decode()
    }
}

/// Scales an image that was decoded for several results.
private struct ScaledDecoding: ImageDecoding {
    let whole: SharedDecoding.Whole
    let planned: PlannedImage

    var format: ImageFormat { planned.format }

    func header(of data: Data) throws(ImageError) -> ImageHeader { try planned.header(of: data) }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let plan = planned.plan
        return try whole.image.applying([.resize(plan.targetSize)] + plan.transforms, isCancelled: options.isCancelled)
    }
}

extension DecodeOptions {
    /// Returns the options with the size, frame and colors of a plan.
    func following(_ plan: ProcessingPlan) -> DecodeOptions {
        var options = self
        options.targetSize = plan.targetSize
        options.frame = plan.frame
        options.colorSpace = plan.colorSpace
        return options
    }
}

/// The decode of a source that has not changed: one pixel, marked as a placeholder.
private struct UnchangedDecoding: ImageDecoding {
    private static let none = ImageFormat("none") { _ in false }
    var format: ImageFormat { Self.none }

    func header(of data: Data) throws(ImageError) -> ImageHeader {
        ImageHeader(format: format, storedSize: PixelSize(1, 1))
    }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(isPlaceholder: true))
    }
}

/// The check of a source that is answered as it is, or described. Its pixels are not decoded, which would be to find out
/// whether the file may be kept.
struct FileCheck: ImageDecoding {
    var coders: CoderRegistry

    var format: ImageFormat { PlannedDecoding.anyFormat }

    func header(of data: Data) throws(ImageError) -> ImageHeader { try coders.decoder(for: data).header(of: data) }

    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.limits.check(try header(of: data))
        return try UnchangedDecoding().decode(data, options)
    }
}

private final class NoPermit: Sendable {}
#endif
