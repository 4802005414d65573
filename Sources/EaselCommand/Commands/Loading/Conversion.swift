import EaselCore
import Foundation

/// What is made of each picture that `get` writes.
struct Conversion: Sendable {
    /// Who writes which format.
    var coders: CoderRegistry
    /// The format; `nil` chooses by the picture.
    var format: ImageFormat?
    /// Whether the file is written as it came.
    var isOriginal: Bool
    /// The frame; `nil` writes all of them where the format holds animations, and else the first.
    var frame: Int?
    /// The size to decode to.
    var targetSize: TargetSize
    /// What is cut out of the middle afterwards.
    var crop: PixelSize?

    /// A file ready to be written.
    struct File: Sendable {
        var data: Data
        var format: ImageFormat
        var size: PixelSize
        var source: ImageSource
        var timeline: LoadTimeline
        /// How long encoding took; `nil` for bytes as they came.
        var encode: Duration?
    }

    /// The file as it came. Blocks.
    ///
    /// - Throws: `ImageError.badData` for what is no picture, `.tooLarge`.
    func original(_ loaded: LoadedData, limits: ImageLimits) throws(ImageError) -> File {
        let header = try coders.decoder(for: loaded.data).header(of: loaded.data)
        try limits.check(header)
        return File(
            data: loaded.data, format: header.format, size: header.size, source: loaded.source,
            timeline: loaded.timeline)
    }

    /// The picture in the format that was asked for, else in PNG where it has alpha and in JPEG where it has none. Blocks.
    ///
    /// - Throws: `ImageError.unsupported` for a format that nobody writes.
    func encoded(_ response: ImageResponse) throws(ImageError) -> File {
        let encoder = try encoder(for: response.image)
        return try file(of: response, format: encoder.format) {
            () throws(ImageError) in
            (try encoder.encode(response.image, EncodeOptions()), response.image.size)
        }
    }

    /// Whether the frames behind the first are to be written too.
    func isAnimation(_ response: ImageResponse) throws(ImageError) -> Bool {
        guard frame == nil, let header = response.image.metadata.header, header.frameCount > 1 else { return false }
        return try encoder(for: response.image) is any AnimationEncoding
    }

    /// All frames of the file that `response` shows the first of, each made as that one was. Blocks.
    ///
    /// - Throws: what decoding and encoding throw.
    func encoded(_ response: ImageResponse, allFramesOf data: Data) throws(ImageError) -> File {
        guard let encoder = try encoder(for: response.image) as? any AnimationEncoding else {
            return try encoded(response)
        }
        let request = response.request
        let options = DecodeOptions(
            targetSize: request.targetSize, limits: request.limits, isCancelled: { Task.isCancelled })
        return try file(of: response, format: encoder.format) { () throws(ImageError) in
            let frames = try AnimationFrames(of: data, try coders.decoder(for: data), options) {
                (image) throws(ImageError) in
                try image.applying(request.transforms, isCancelled: { Task.isCancelled })
            }
            return (try encoder.encode(frames, EncodeOptions()), frames.size)
        }
    }

    private func encoder(for image: DecodedImage) throws(ImageError) -> any ImageEncoding {
        let format = format ?? (image.pixels.isOpaque ? .jpeg : .png)
        if let encoder = coders.encoder(for: format) { return encoder }
        throw .unsupported("No coder here writes \(format.name). Choose another format.")
    }

    private func file(
        of response: ImageResponse, format: ImageFormat,
        _ encode: () throws(ImageError) -> (Data, PixelSize)
    ) throws(ImageError) -> File {
        let started = ContinuousClock.now
        let (data, size) = try encode()
        let time = ContinuousClock.now - started
        var timeline = response.timeline
        timeline.total = (timeline.total ?? .zero) + time
        return File(
            data: data, format: format, size: size, source: response.source, timeline: timeline, encode: time)
    }
}

extension Session {
    /// Loads a picture and makes the file of it.
    func convert(_ input: ImageInput, _ conversion: Conversion) async throws(ImageError) -> Conversion.File {
        let request = request(for: input) {
            $0.frame = conversion.frame ?? 0
            $0.targetSize = conversion.targetSize
            if let crop = conversion.crop { $0.transforms = [.crop(to: crop)] }
            $0.options.insert(.transformAnimatedImage)
        }
        return try await loading(input) { [manager] report throws(ImageError) in
            if conversion.isOriginal {
                let loaded = try await manager.data(for: request, progress: report)
                return try await WorkerPool.pixels.run { () throws(ImageError) in
                    try conversion.original(loaded, limits: request.limits)
                }
            }
            let response = try await manager.response(for: request, progress: report)
            guard try conversion.isAnimation(response) else {
                return try await WorkerPool.pixels.run { () throws(ImageError) in try conversion.encoded(response) }
            }
            let data: Data
            if let loaded = response.data {
                data = loaded
            } else {
                data = try await manager.data(for: request, progress: { _ in }).data
            }
            return try await WorkerPool.pixels.run { () throws(ImageError) in
                try conversion.encoded(response, allFramesOf: data)
            }
        }
    }
}

extension ImageManager {
    /// Loads a picture, and tells how many bytes have come. Cancelling the task that waits cancels the load.
    func response(
        for request: ImageRequest, progress: @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> ImageResponse {
        let task = load(request)
        for await case .progress(let report) in task.events { progress(report) }
        return try await task.response
    }
}
