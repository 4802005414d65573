import EaselCodecs
import EaselCore
import Foundation
import ArgumentParser

/// The conversion of images that `get` writes.
struct Conversion: Sendable {
    var coders: CoderRegistry
    /// The format, or `nil` to choose it by image.
    var format: ImageFormat?
    var isOriginal: Bool
    /// The frame, or `nil` for all frames if the format supports animation, otherwise the first.
    var frame: Int?
    var targetSize: TargetSize
    /// The size to crop to afterwards, centred.
    var crop: PixelSize?

    struct File: Sendable {
        var data: Data
        var format: ImageFormat
        var size: PixelSize
        var source: ImageSource
        var timeline: LoadTimeline
        /// The duration of encoding, or `nil` for unchanged bytes.
        var encode: Duration?
    }

    /// Returns the unchanged file. Blocks.
    ///
    /// - Throws: `ImageError.badData` if the data is not an image, or `.tooLarge`.
    func makeOriginalFile(_ loaded: LoadedData, limits: ImageLimits) throws(ImageError) -> File {
        let header = try coders.decoder(for: loaded.data).header(of: loaded.data)
        try limits.check(header)
        return File(
            data: loaded.data, format: header.format, size: header.size, source: loaded.source,
            timeline: loaded.timeline)
    }

    /// Returns the image in the requested format. The default is PNG for images with alpha, otherwise JPEG. Blocks.
    ///
    /// - Throws: `ImageError.unsupported` if no encoder writes the format.
    func encode(_ response: ImageResponse) throws(ImageError) -> File {
        let encoder = try encoder(for: response.image)
        return try makeFile(of: response, format: encoder.format) { () throws(ImageError) in
            (try encoder.encode(response.image, EncodeOptions()), response.image.size)
        }
    }

    func isAnimation(_ response: ImageResponse) throws(ImageError) -> Bool {
        guard frame == nil, let header = response.image.metadata.header, header.frameCount > 1 else { return false }
        return try encoder(for: response.image) is any AnimationEncoding
    }

    /// Returns all frames of the file, each converted like the first one in `response`. Blocks.
    ///
    /// - Throws: The errors of decoding and encoding.
    func encode(_ response: ImageResponse, allFramesOf data: Data) throws(ImageError) -> File {
        guard let encoder = try encoder(for: response.image) as? any AnimationEncoding else {
            return try encode(response)
        }
        let request = response.request
        let options = DecodeOptions(
            targetSize: request.targetSize, limits: request.limits, isCancelled: { Task.isCancelled })
        return try makeFile(of: response, format: encoder.format) { () throws(ImageError) in
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
        throw .unsupported("Cannot write \(format.name). Choose another format.")
    }

    private func makeFile(
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
    func convert(_ input: ImageInput, _ conversion: Conversion) async throws(ImageError) -> Conversion.File {
        let request = request(for: input) {
            $0.frame = conversion.frame ?? 0
            $0.targetSize = conversion.targetSize
            if let crop = conversion.crop { $0.transforms = [.crop(to: crop)] }
            $0.options.insert(.transformAnimatedImage)
        }
        return try await withProgress(of: input) { [manager] report throws(ImageError) in
            if conversion.isOriginal {
                let loaded = try await manager.data(for: request, progress: report)
                return try await WorkerPool.pixels.run { () throws(ImageError) in
                    try conversion.makeOriginalFile(loaded, limits: request.limits)
                }
            }
            let response = try await manager.response(for: request, progress: report)
            guard try conversion.isAnimation(response) else {
                return try await WorkerPool.pixels.run { () throws(ImageError) in try conversion.encode(response) }
            }
            let data: Data
            if let loaded = response.data {
                data = loaded
            } else {
                data = try await manager.data(for: request, progress: { _ in }).data
            }
            return try await WorkerPool.pixels.run { () throws(ImageError) in
                try conversion.encode(response, allFramesOf: data)
            }
        }
    }
}

extension ImageManager {
    /// Loads an image and reports progress. Cancelling the waiting task cancels the load.
    func response(
        for request: ImageRequest, progress: @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> ImageResponse {
        let task = load(request)
        for await case .progress(let report) in task.events { progress(report) }
        return try await task.response
    }
}

struct ConversionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Output format.", valueName: "format"))
    var format: OutputFormat?

    @Option(
        help: ArgumentHelp(
            "Write only this frame, counted from 0. Default: all frames if the format supports animation.",
            valueName: "number"))
    var frame: Int?

    @Option(help: ArgumentHelp("Scale down to this width.", valueName: "pixels"))
    var width: Int?

    @Option(help: ArgumentHelp("Scale down to this height.", valueName: "pixels"))
    var height: Int?

    @Option(help: ArgumentHelp("How to fit: crop (cover), keep whole (contain) or stretch (fill).", valueName: "fit"))
    var fit: Fit?

    enum Fit: String, ExpressibleByArgument, CaseIterable { case cover, contain, fill }

    enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
        case png, jpeg, webp, gif, apng, avif, jxl, original
    }

    func validate() throws {
        for (name, side) in [("--width", width), ("--height", height)] {
            if let side, !(1...Self.longestSide).contains(side) {
                throw ValidationError("\(name) must be from 1 to \(Self.longestSide).")
            }
        }
        if let frame, frame < 0 { throw ValidationError("--frame must be 0 or more.") }
        if fit != nil, width == nil, height == nil { throw ValidationError("--fit requires --width or --height.") }
        if format == .original, changesPixels {
            throw ValidationError(
                "--format original writes files unchanged. Remove --frame, --width and --height.")
        }
    }

    func conversion(coders: CoderRegistry) -> Conversion {
        Conversion(
            coders: coders, format: imageFormat, isOriginal: format == .original || (format == nil && !changesPixels),
            frame: frame, targetSize: targetSize, crop: fit == .cover ? box : nil)
    }

    /// Larger than any format allows.
    private static let longestSide = 1_000_000

    private var changesPixels: Bool { frame != nil || width != nil || height != nil || fit != nil }

    /// Both sides, if both are given. With only one, all fits have the same result.
    private var box: PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width, height)
    }

    private var targetSize: TargetSize {
        guard width != nil || height != nil else { return .original }
        let mode: TargetSize.ContentMode =
            switch box == nil ? .contain : fit ?? .contain {
            case .cover: .aspectFill
            case .contain: .aspectFit
            case .fill: .fill
            }
        // A missing side has no limit.
        return .pixels(width: width ?? 1 << 40, height: height ?? 1 << 40, mode: mode)
    }

    private var imageFormat: ImageFormat? { ([.apng] + ImageFormat.known).first { $0.name == format?.rawValue } }
}
