import CEaselJPEG
public import EaselCore
import EaselFoundation

extension JPEGCoder: IncrementalDecoding {
    /// Shows the rows of a baseline file as they come, and a file of several scans better with each.
    ///
    /// For a target size it decodes at the same fraction as `decode`, and says when the scans that have come suffice for
    /// it. Of a file with arithmetic coding, which libjpeg cannot read in pieces, nothing is shown.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        JPEGIncrementalDecoder(options)
    }
}

/// One JPEG that is arriving.
private final class JPEGIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private var stream: JPEGStream?
    private var image: JPEGArrivingImage?

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        let stream = try startedStream()
        // What comes after the image is not even copied.
        if let image, image.isWhole || !stream.isInterruptible { return }
        try bytes.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try stream.append(bytes) }
        if image == nil { image = try JPEGArrivingImage(stream, options) }
        try image?.read(isCancelled: options.isCancelled)
        if stream.isDamaged, !options.allowsPartial { throw stream.damage }
    }

    private func startedStream() throws(ImageError) -> JPEGStream {
        if let stream { return stream }
        let stream = try JPEGStream()
        self.stream = stream
        return stream
    }

    var isSufficient: Bool { image?.isSufficient ?? false }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        return try image?.preview(options)
    }
}

/// The pixels of an arriving JPEG after its header.
final class JPEGArrivingImage {
    private let stream: JPEGStream
    private let header: ImageHeader
    private let target: PixelSize
    private let scale: JPEGScale
    /// How components that come out as ink are shown; `nil` for light.
    private let inks: CMYK?
    private let colors: ColorDescription?
    /// Rows as libjpeg gives them; the first `rowCount` are there.
    private let canvas: PartialCanvas
    private var rowCount = 0
    private var progress = ScanProgress()
    private var shownRows = 0

    /// Reads the header; `nil` while it has not come whole.
    init?(_ stream: JPEGStream, _ options: DecodeOptions) throws(ImageError) {
        guard let markers = try stream.readMarkers() else { return nil }
        header = stream.header(markers)
        try options.check(header)
        target = options.storedTargetSize(for: header)
        scale = JPEGScale(from: header.storedSize, to: target, hasMeanScan: markers.has_dc_scan)
        let colors = stream.colors(markers)
        inks =
            markers.components == 4
            ? CMYK(colors, isInverted: markers.has_adobe_marker, to: options.colorSpace) : nil
        self.colors = inks.map { $0.colors } ?? colors
        canvas = try PartialCanvas(stream.begin(scale))
        self.stream = stream
    }

    /// Whether nothing that comes is of use any more.
    var isWhole: Bool { stream.hasScans ? stream.hasEnded : rowCount == canvas.size.height }

    /// Whether what is still to come would hardly be seen.
    var isSufficient: Bool { stream.hasScans ? stream.isSufficient : isWhole }

    /// Goes as far as the bytes have come.
    func read(isCancelled: () -> Bool) throws(ImageError) {
        guard stream.isInterruptible else { return }
        if stream.hasScans {
            try stream.readScans(isCancelled: isCancelled)
        } else {
            try readRows(isCancelled)
        }
    }

    /// What has come since the last preview, with what had come before; `nil` for nothing.
    func preview(_ options: DecodeOptions) throws(ImageError) -> ImagePreview? {
        guard stream.isInterruptible else { return nil }
        if stream.hasScans {
            if progress.startsPass(scans: stream.scanCount, bytes: stream.byteCount, hasEnded: stream.hasEnded) {
                try stream.startOutput()
                rowCount = 0
                shownRows = 0
            }
            try readRows(options.isCancelled)
        }
        guard rowCount > shownRows else { return nil }
        shownRows = rowCount
        let image = try DecodedImage(
            stored: pixels(options.isCancelled), header: header, options: options, colors: colors, isPartial: true)
        return ImagePreview(image: image, isSufficient: isSufficient)
    }

    private func readRows(_ isCancelled: () -> Bool) throws(ImageError) {
        rowCount = try stream.readRows(
            from: rowCount, into: canvas.bytes, bytesPerRow: canvas.bytesPerRow, height: canvas.size.height,
            isCancelled: isCancelled)
    }

    private func pixels(_ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let pixels = try canvas.pixels(rowCount: rowCount, isOpaque: true) { (rows) throws(ImageError) in
            try inks?.convert(rows, isCancelled: isCancelled)
        }
        return try pixels.resized(
            to: target, extent: scale.extent(of: header.storedSize, decodedAs: canvas.size),
            isCancelled: isCancelled)
    }
}
