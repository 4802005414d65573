import EaselCore
import Foundation
import ArgumentParser

/// What is made of each image that `get` writes.
struct Conversion: Sendable {
    /// Who writes which format.
    var coders: CoderRegistry
    /// The format; `nil` chooses by the image.
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
    /// - Throws: `ImageError.badData` for what is no image, `.tooLarge`.
    func original(_ loaded: LoadedData, limits: ImageLimits) throws(ImageError) -> File {
        let header = try coders.decoder(for: loaded.data).header(of: loaded.data)
        try limits.check(header)
        return File(
            data: loaded.data, format: header.format, size: header.size, source: loaded.source,
            timeline: loaded.timeline)
    }

    /// The image in the format that was asked for, else in PNG where it has alpha and in JPEG where it has none. Blocks.
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
    /// Loads an image and makes the file of it.
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
    /// Loads an image, and tells how many bytes have come. Cancelling the task that waits cancels the load.
    func response(
        for request: ImageRequest, progress: @Sendable (LoadProgress) -> Void
    ) async throws(ImageError) -> ImageResponse {
        let task = load(request)
        for await case .progress(let report) in task.events { progress(report) }
        return try await task.response
    }
}

/// What is made of an image before it is written.
struct ConversionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write this format.", valueName: "format"))
    var format: OutputFormat?

    @Option(
        help: ArgumentHelp(
            "Write this frame of an animation, counted from 0, as it is shown; else all of them where the format holds them.",
            valueName: "number"))
    var frame: Int?

    @Option(help: ArgumentHelp("Scale down to this width.", valueName: "pixels"))
    var width: Int?

    @Option(help: ArgumentHelp("Scale down to this height.", valueName: "pixels"))
    var height: Int?

    @Option(help: ArgumentHelp("How to fill both: whole inside, cropped to fill, or stretched.", valueName: "fit"))
    var fit: Fit?

    /// How an image fills a width and a height.
    enum Fit: String, ExpressibleByArgument, CaseIterable {
        /// The box full; what hangs over is cut off.
        case cover
        /// The whole image, inside the box.
        case contain
        /// Exactly the box, proportions be damned.
        case fill
    }

    /// What `--format` takes.
    enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
        case png, jpeg, webp, gif, apng, avif, jxl, original
    }

    func validate() throws {
        for (name, side) in [("--width", width), ("--height", height)] {
            if let side, !(1...Self.longestSide).contains(side) {
                throw ValidationError("\(name) has to be from 1 to \(Self.longestSide).")
            }
        }
        if let frame, frame < 0 { throw ValidationError("--frame has to be 0 or more.") }
        if fit != nil, width == nil, height == nil { throw ValidationError("--fit needs --width or --height.") }
        if format == .original, changesPixels {
            throw ValidationError(
                "--format original writes files as they came: leave out --frame, --width and --height.")
        }
    }

    /// What these options come to.
    func conversion(coders: CoderRegistry) -> Conversion {
        Conversion(
            coders: coders, format: imageFormat, isOriginal: format == .original || (format == nil && !changesPixels),
            frame: frame, targetSize: targetSize, crop: fit == .cover ? box : nil)
    }

    /// Far more than any format can hold.
    private static let longestSide = 1_000_000

    private var changesPixels: Bool { frame != nil || width != nil || height != nil || fit != nil }

    /// Both sides, where both are given: with one, every fit means the same.
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
        // A missing side is one that never decides.
        return .pixels(width: width ?? Self.unbounded, height: height ?? Self.unbounded, mode: mode)
    }

    private static let unbounded = 1 << 40

    private var imageFormat: ImageFormat? {
        switch format {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .gif: .gif
        case .apng: .apng
        case .avif: .avif
        case .jxl: .jxl
        case .original, nil: nil
        }
    }
}
