#if Sandbox
import EaselCore
import EaselFoundation

/// Jobs with their results. Every number that a worker sends is checked against the request.
extension SandboxRunner {
    func header(_ job: SandboxJob, _ operation: WorkerJob.Operation) throws(SandboxFailure) -> ImageHeader {
        try run(job, operation, resultLimit: Self.headerLimit(job)) { (bytes, _) throws(SandboxFailure) in
            var reader = ByteReader(bytes)
            // An empty result means that the file has no complete frame.
            guard !bytes.isEmpty else { throw .image(.badData("The file has no complete frame.")) }
            guard let header = reader.readImageHeader(), reader.isAtEnd else { throw .violation }
            try Self.check(header, job)
            return header
        }
    }

    func metadata(_ job: SandboxJob) throws(SandboxFailure) -> FileMetadata {
        // Metadata is not longer than the file that contains it.
        try run(job, .metadata, resultLimit: job.data.count + 4096) { (bytes, _) throws(SandboxFailure) in
            guard let metadata = FileMetadata(workerResult: bytes) else { throw .violation }
            return metadata
        }
    }

    func image(_ job: SandboxJob, _ operation: WorkerJob.Operation) throws(SandboxFailure) -> DecodedImage {
        try run(job, operation, resultLimit: Self.headerLimit(job)) { (bytes, memory) throws(SandboxFailure) in
            try Self.image(bytes, memory, job).image
        }
    }

    /// Returns a preview of a file that is arriving, or `nil` if there is nothing new to show.
    func preview(_ job: SandboxJob) throws(SandboxFailure) -> ImagePreview? {
        let operation = WorkerJob.Operation.preview(
            session: job.session?.number ?? 0, byteCount: job.data.count, job.options)
        return try run(job, operation, resultLimit: Self.headerLimit(job)) { (bytes, memory) throws(SandboxFailure) in
            guard !bytes.isEmpty else { return nil }
            let (image, result) = try Self.image(bytes, memory, job)
            return ImagePreview(image: image, isSufficient: result.isSufficient)
        }
    }

    private static func image(
        _ bytes: [UInt8], _ memory: SharedMemory, _ job: SandboxJob
    ) throws(SandboxFailure) -> (image: DecodedImage, WorkerImage) {
        let (result, layout) = try check(bytes, job)
        guard layout.byteCount <= memory.byteCount else { throw .violation }
        do throws(ImageError) {
            return (try image(result, layout, memory, job.options), result)
        } catch {
            throw .image(error)
        }
    }

    /// Checks a result. Returns it with the layout of its pixels.
    static func check(
        _ bytes: [UInt8], _ job: SandboxJob
    ) throws(SandboxFailure) -> (result: WorkerImage, ResultLayout) {
        guard let result = WorkerImage(bytes: bytes) else { throw .violation }
        let (header, options) = (result.header, job.options)
        try check(header, job)
        guard result.frameIndex == options.frame, !result.isPartial || options.allowsPartial,
            result.deepColors == nil || (options.depth == .sixteen && header.bitDepth > 8) || result.gainMap != nil,
            result.gainMap.map({ accepts($0, header, options) }) ?? true
        else { throw .violation }
        do throws(ImageError) {
            try options.limits.check(header)
            let layout = try ResultLayout(
                resultByteCount: bytes.count, size: options.targetSize.size(for: header.size),
                isDeep: result.deepColors != nil, gainMap: result.gainMap?.size)
            return (result, layout)
        } catch {
            // A worker checks the same limits, so a correct one throws the error itself.
            throw .violation
        }
    }

    /// Returns whether a gain map was requested, and is at most as large as its base image.
    private static func accepts(_ map: WorkerImage.Map, _ header: ImageHeader, _ options: DecodeOptions) -> Bool {
        (options.depth == .sixteen || options.hdrHeadroom != nil) && map.size.width <= header.size.width
            && map.size.height <= header.size.height
    }

    /// Checks the format and the counts of a header: a file has no more frames than bytes. The limits of the request
    /// are checked elsewhere, as for decoders in this process.
    private static func check(_ header: ImageHeader, _ job: SandboxJob) throws(SandboxFailure) {
        guard header.format == job.format || (job.format == .png && header.format == .apng),
            header.frameCount <= max(1, job.data.count), header.frameDurations.count <= max(1, header.frameCount)
        else { throw .violation }
    }

    private static func image(
        _ result: WorkerImage, _ layout: ResultLayout, _ memory: SharedMemory, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let size = options.targetSize.size(for: result.header.size)
        let pixels = try PixelBuffer(size: size, isOpaque: result.isOpaque) { bytes, _ in
            memory.copyBytes(layout.pixels, to: bytes)
        }
        var image = DecodedImage(
            pixels: pixels,
            metadata: ImageMetadata(
                header: result.header, frameIndex: result.frameIndex, isPartial: result.isPartial,
                isThumbnail: size != result.header.size, colorSpace: options.colorSpace))
        if let colors = result.deepColors {
            image.deepPixels = try DeepPixelBuffer(size: size, isOpaque: result.isOpaque, colors: colors) { bytes, _ in
                memory.copyBytes(layout.deepPixels, to: bytes)
            }
        }
        if let map = result.gainMap {
            let pixels = try PixelBuffer(size: map.size, isOpaque: map.isOpaque) { bytes, _ in
                memory.copyBytes(layout.gainMap, to: bytes)
            }
            image.gainMap = GainMap(pixels: pixels, parameters: map.parameters)
        }
        return image
    }

    /// The longest result with a header and the durations of all frames: a frame has more bytes in the file than its
    /// duration. Unused memory is never allocated.
    private static func headerLimit(_ job: SandboxJob) -> Int { (128 << 10) + job.data.count }
}
#endif
