import EaselCore

/// The still picture of a PNG whose head has come, or the one that stands for its animation.
final class PNGArrivingPicture {
    private let header: ImageHeader
    private let isOpaque: Bool
    private let colors: ColorDescription?
    private let canvas: ArrivingCanvas
    private let rows: PNGRowFeed
    private let stream: InflateStream
    private let buffer: ScratchMemory
    private var shownRowCount = 0

    private static let bufferByteCount = 64 << 10

    /// - Parameter head: the file up to its data.
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for a head that contradicts itself.
    init(head: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) {
        var raster = PNGRaster(try PNGFile(head), in: head)
        header = raster.header(in: head)
        try options.limits.check(header)
        colors = raster.convertedColors(in: head, to: options.colorSpace)
        isOpaque = !raster.expander.hasAlpha
        canvas = try ArrivingCanvas(header.storedSize)
        rows = try PNGRowFeed(raster, on: canvas)
        stream = try InflateStream()
        buffer = try ScratchMemory(count: Self.bufferByteCount, for: header.storedSize)
    }

    /// Takes compressed data.
    func take(_ data: Span<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        try data.withUnsafeBytes { (data) throws(ImageError) in
            try stream.inflate(data, through: buffer.bytes) { (bytes) throws(ImageError) in
                if isCancelled() { throw .cancelled }
                try rows.take(bytes)
            }
        }
    }

    /// What has come since the last preview, with what had come before; `nil` for nothing.
    func preview(_ options: DecodeOptions) throws(ImageError) -> ImagePreview? {
        guard rows.rowCount > shownRowCount else { return nil }
        shownRowCount = rows.rowCount
        return ImagePreview(image: try image(options))
    }

    private func image(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try canvas.pixels(rowCount: rows.visibleRows, isOpaque: isOpaque)
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors, isPartial: true)
    }

    /// The rows that are there of a file that is cut off; `nil` where there is none.
    static func part(of file: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) -> DecodedImage? {
        let feed = PNGFeed()
        try feed.append(file, options)
        return try feed.picture?.preview(options)?.image
    }
}

/// Reads a PNG that arrives in pieces as far as it has come.
final class PNGFeed {
    private var chunks = PNGChunkFeed()
    private(set) var picture: PNGArrivingPicture?

    func append(_ bytes: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) {
        var offset = 0
        while let event = try chunks.next(in: bytes, at: &offset) {
            switch event {
            case .headEnded:
                picture = try PNGArrivingPicture(head: chunks.head.span, options)
            case .imageData(let place):
                try picture?.take(bytes.extracting(place), isCancelled: options.isCancelled)
            }
        }
    }
}
