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
    /// The frame.
    var frame: Int
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
        let format = format ?? (response.image.pixels.isOpaque ? .jpeg : .png)
        guard let encoder = coders.encoder(for: format) else {
            throw .unsupported("No coder here writes \(format.name). Choose another format.")
        }
        let started = ContinuousClock.now
        let data = try encoder.encode(response.image, EncodeOptions())
        let encode = ContinuousClock.now - started
        var timeline = response.timeline
        timeline.total = (timeline.total ?? .zero) + encode
        return File(
            data: data, format: format, size: response.image.size, source: response.source, timeline: timeline,
            encode: encode)
    }
}

extension Session {
    /// Loads a picture and makes the file of it.
    func convert(_ input: ImageInput, _ conversion: Conversion) async throws(ImageError) -> Conversion.File {
        let request = request(for: input) {
            $0.frame = conversion.frame
            $0.targetSize = conversion.targetSize
            if let crop = conversion.crop { $0.transforms = [.crop(to: crop)] }
        }
        return try await loading(input) { [manager] report throws(ImageError) in
            if conversion.isOriginal {
                let loaded = try await manager.data(for: request, progress: report)
                return try await WorkerPool.pixels.run { () throws(ImageError) in
                    try conversion.original(loaded, limits: request.limits)
                }
            }
            let response = try await manager.response(for: request, progress: report)
            return try await WorkerPool.pixels.run { () throws(ImageError) in try conversion.encoded(response) }
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
