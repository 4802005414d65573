import CWebP
public import EaselCore
import EaselFoundation

extension WebPCoder: IncrementalDecoding {
    /// Creates a decoder that shows the rows of a still image as they arrive, or the first frame of an animation once
    /// it is complete. Nothing is shown before announced EXIF, which follows the image and can rotate it.
    ///
    /// Buffers the whole file, because libwebp needs it for each update.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        WebPIncrementalDecoder(options)
    }
}

private final class WebPIncrementalDecoder: IncrementalDecoder {
    private var options: DecodeOptions
    private var file: [UInt8] = []
    private var throttle = SearchThrottle()
    private var still: WebPPartialImage?
    private var isAnimated = false
    private var hasShownFrame = false

    init(_ options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        guard still?.isComplete != true, !hasShownFrame else { return }
        file.append(contentsOf: bytes)
        if throttle.shouldSearch(file.count) { try update() }
    }

    func preview() throws(ImageError) -> DecodedImage? {
        try options.checkCancellation()
        if throttle.recordGrowth(to: file.count) { try update() }
        return isAnimated ? try firstFrame() : try still?.preview(options)
    }

    private func update() throws(ImageError) {
        if still == nil, !isAnimated { try begin() }
        if let still {
            try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try still.update(bytes, isCancelled: options.isCancelled)
            }
        }
    }

    private func begin() throws(ImageError) {
        try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            guard let file = try WebPFile(beginning: bytes), file.isOrientationKnown else { return }
            try options.limits.check(file.header)
            isAnimated = file.isAnimated
            let start = file.frames[0].data.lowerBound
            let data = UnsafeBufferPointer(rebasing: bytes[start...])
            guard !isAnimated, WebPRaster.features(data) != nil else { return }
            still = try WebPPartialImage(file.header, colors: file.colors(in: bytes), from: start, data, options)
        }
    }

    private func firstFrame() throws(ImageError) -> DecodedImage? {
        guard !hasShownFrame else { return nil }
        options.frame = 0
        options.allowsPartial = true
        do {
            var image = try WebPCoder().decode(Data(file), options)
            image.metadata.isPartial = true
            hasShownFrame = true
            file = []
            return image
        } catch {
            // An incomplete frame has nothing to show.
            guard error.code == .badData else { throw error }
            return nil
        }
    }
}

/// A still WebP, after its header has arrived. libwebp decodes all data received so far.
final class WebPPartialImage {
    /// The destination of the decoded rows.
    private enum Destination {
        case canvas(PartialCanvas)
        case planes(WebPThumbnail)
    }

    private let header: ImageHeader
    /// The offset of the image data in the file.
    private let start: Int
    private let isOpaque: Bool
    private let colors: ColorDescription
    /// The target size, before the orientation is applied.
    private let size: PixelSize
    private let destination: Destination
    private let stream: WebPStream
    private var shownRowCount = 0

    /// Whether all rows have arrived.
    var isComplete: Bool { stream.isComplete }

    /// - Parameters:
    ///   - start: the offset of the image data in the file.
    ///   - data: the image data, enough for `WebPRaster.features`.
    init(
        _ header: ImageHeader, colors: ColorDescription, from start: Int, _ data: UnsafeBufferPointer<UInt8>,
        _ options: DecodeOptions
    ) throws(ImageError) {
        self.colors = colors
        self.header = header
        self.start = start
        isOpaque = WebPRaster.isOpaque(data)
        size = options.storedTargetSize(for: header)
        var settings = try WebPRaster.config()
        if let thumbnail = try WebPThumbnail(data, stored: header.storedSize, size: size) {
            thumbnail.configure(&settings)
            destination = .planes(thumbnail)
        } else {
            let canvas = try PartialCanvas(WebPRaster.scaledSize(of: header.storedSize, for: size))
            settings.draw(
                in: canvas.bytes, bytesPerRow: canvas.bytesPerRow, size: canvas.size, from: header.storedSize,
                isOpaque: isOpaque)
            destination = .canvas(canvas)
        }
        stream = try WebPStream(settings)
    }

    /// Decodes as far as `file`, the data received so far, allows. Checks for cancellation between steps.
    func update(_ file: UnsafeBufferPointer<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        guard file.count > start else { return }
        try stream.decode(UnsafeBufferPointer(rebasing: file[start...]), isCancelled: isCancelled)
    }

    /// Returns the rows received so far, or `nil` if none are new.
    func preview(_ options: DecodeOptions) throws(ImageError) -> DecodedImage? {
        guard stream.rowCount > shownRowCount else { return nil }
        shownRowCount = stream.rowCount
        let pixels = try pixels(options.isCancelled)
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors, isPartial: true)
    }

    private func pixels(_ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        switch destination {
        case .planes(let thumbnail): return try thumbnail.pixels(rowCount: stream.rowCount, isCancelled: isCancelled)
        case .canvas(let canvas):
            let pixels = try canvas.pixels(rowCount: stream.rowCount, isOpaque: isOpaque) { rows in
                // A lossless image marked as opaque can contain other alpha values.
                if isOpaque { rows.makeOpaque() }
            }
            return try pixels.resized(to: size, isCancelled: isCancelled)
        }
    }
}
