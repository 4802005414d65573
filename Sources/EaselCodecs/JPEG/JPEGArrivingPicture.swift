import CEaselJPEG
import EaselCore

/// The pixels of a JPEG whose header has come, as far as they have.
final class JPEGArrivingPicture {
    private let stream: JPEGStream
    private let header: ImageHeader
    private let target: PixelSize
    private let scale: JPEGScale
    /// Whether components come out as ink, and whether 255 of it is none; `nil` for light.
    private let isInkInverted: Bool?
    /// The size that libjpeg gives.
    private let size: PixelSize
    private let bytesPerRow: Int
    /// Rows as libjpeg gives them; the first `rowCount` are there.
    private let canvas: ScratchMemory
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
        isInkInverted = markers.components == 4 ? markers.has_adobe_marker : nil
        size = try stream.begin(scale)
        bytesPerRow = size.width * 4
        canvas = try ScratchMemory(count: bytesPerRow * size.height, for: size)
        self.stream = stream
    }

    /// Whether nothing that comes is of use any more.
    var isWhole: Bool { stream.hasScans ? stream.hasEnded : rowCount == size.height }

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
            stored: pixels(options.isCancelled), header: header, options: options, isPartial: true)
        return ImagePreview(image: image, isSufficient: stream.hasScans ? stream.isSufficient : isWhole)
    }

    private func readRows(_ isCancelled: () -> Bool) throws(ImageError) {
        rowCount = try stream.readRows(
            from: rowCount, into: canvas.bytes, bytesPerRow: bytesPerRow, height: size.height, isCancelled: isCancelled)
    }

    /// A copy of the rows that are there, over transparency.
    private func pixels(_ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let isOpaque = rowCount == size.height
        let copy = try PixelBuffer(size: size, isOpaque: isOpaque) { (target, targetBytesPerRow) throws(ImageError) in
            guard let from = canvas.bytes.baseAddress, let to = target.baseAddress else { return }
            for row in 0..<rowCount {
                (to + row * targetBytesPerRow).copyMemory(from: from + row * bytesPerRow, byteCount: bytesPerRow)
            }
            if let isInkInverted,
                let canvas = Canvas(target, bytesPerRow: targetBytesPerRow, size: PixelSize(size.width, rowCount))
            {
                CMYK.convert(canvas, isInverted: isInkInverted)
            }
            (to + rowCount * targetBytesPerRow).initializeMemory(
                as: UInt8.self, repeating: 0, count: (size.height - rowCount) * targetBytesPerRow)
        }
        return try copy.resized(
            to: target, extent: scale.extent(of: header.storedSize), isCancelled: isCancelled)
    }
}
