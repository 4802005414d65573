public import EaselCore
import EaselFoundation

extension JPEGCoder: IncrementalDecoding {
    /// Makes a decoder that shows the rows of a baseline file as they arrive, and a file of several scans after each
    /// scan.
    ///
    /// For a target size it decodes at the same fraction as `decode`, and reports when the scans suffice for it. A file
    /// that only libjpeg-turbo reads, such as one with arithmetic coding, is shown when it is complete.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        JPEGIncrementalDecoder(options)
    }
}

/// The decoder of one arriving JPEG.
final class JPEGIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private let denominator: Int?
    /// The part of the file that has arrived.
    private var file: [UInt8] = []
    /// The segments before the first scan, as far as they have arrived.
    private var segments = JPEGSegments()
    private var image: JPEGArrivingImage?
    /// The search for the end of a file that is left to libjpeg-turbo; `nil` for other files.
    private var irregularEnd: JPEGSegments?
    /// The time for all pieces together, which `limits.decodingTime` limits. Each preview is limited separately.
    private var decodingTime = Duration.zero

    /// Creates a decoder.
    ///
    /// - Parameter denominator: the scale, if it is not the one for the target size.
    init(_ options: DecodeOptions, denominator: Int? = nil) {
        self.options = options
        self.denominator = denominator
    }

    /// Whether further bytes are not needed.
    var isWhole: Bool { image?.isWhole ?? false }

    var isSufficient: Bool { image?.isSufficient ?? false }

    /// The size of the decoded image, which may be a fraction.
    var decodedSize: PixelSize? { image?.canvas?.size }

    /// The decoded rows, with C, M, Y, K as they are stored.
    var rows: UnsafeRawBufferPointer? { image?.rows }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        // Bytes after the image are not copied.
        if isWhole { return }
        file += bytes
        let start = ContinuousClock.now - decodingTime
        defer { decodingTime = start.duration(to: .now) }
        try options.runInterruptibly(since: start) { (options) throws(ImageError) in try decode(options) }
    }

    func preview() throws(ImageError) -> DecodedImage? {
        try options.checkCancellation()
        return try options.runInterruptibly { (options) throws(ImageError) in
            try image?.preview(options, byteCount: file.count)
        }
    }

    /// Decodes what has arrived.
    private func decode(_ options: DecodeOptions) throws(ImageError) {
        let file = file
        guard file.count >= 2 else { return }
        guard file.span.bigEndian16(at: 0) == 0xFFD8 else { throw .badData("Not a JPEG file.") }
        if image == nil {
            guard hasHeader(file.span) else { return }
            image = try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try JPEGArrivingImage(JPEGFile(bytes), options, denominator: denominator)
            }
        }
        guard let image else { return }
        if irregularEnd == nil {
            if try image.read(file.span, options.isCancelled) { return }
            irregularEnd = segments
        }
        guard irregularEnd?.hasEnd(in: file.span) == true else { return }
        try file.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try image.decode(JPEGDecompressor(bytes), options)
        }
    }

    /// Returns whether all segments up to the first scan have arrived, or the file is invalid.
    private func hasHeader(_ file: Span<UInt8>) -> Bool {
        do throws(JPEGStop) {
            while let segment = try segments.next(in: file), segment.marker != JPEGSegments.startOfScan {}
            return true
        } catch { return error != .incomplete }
    }
}

/// The pixels of an arriving JPEG after its header.
private final class JPEGArrivingImage {
    private let header: ImageHeader
    private let target: PixelSize?
    private let scale: JPEGScale
    /// The conversion of CMYK, or `nil` for other colors.
    private let inks: CMYK?
    private let colors: ColorDescription?
    private let reader: (any JPEGReading)?
    /// The decoded rows.
    private(set) var canvas: PartialCanvas?
    /// Whether libjpeg-turbo has decoded the complete file, and whether that image was shown.
    private var isDecodedByLibrary = false
    private var isShown = false

    init(_ file: JPEGFile, _ options: DecodeOptions, denominator: Int?) throws(ImageError) {
        header = file.header()
        try options.check(header)
        let size = options.storedTargetSize(for: header)
        var scale = JPEGScale(from: header.storedSize, to: size, hasMeanScan: file.hasMeanScan)
        if let denominator { scale.denominator = denominator }
        self.scale = scale
        target = denominator == nil ? size : nil
        let colors = file.colors()
        inks = file.inks(colors, to: options.colorSpace)
        self.colors = inks.map { $0.colors } ?? colors
        reader = file.start.flatMap { try? JPEGReader.make($0.markers, $0.scan, scale) }
        if let reader { canvas = try PartialCanvas(reader.size) }
    }

    var isWhole: Bool { isDecodedByLibrary || reader?.isWhole ?? false }

    var isSufficient: Bool { isDecodedByLibrary || reader?.isSufficient ?? false }

    private var rowCount: Int { isDecodedByLibrary ? canvas?.size.height ?? 0 : reader?.rowCount ?? 0 }

    var rows: UnsafeRawBufferPointer? {
        canvas.map { UnsafeRawBufferPointer(rebasing: $0.bytes[..<(rowCount * $0.bytesPerRow)]) }
    }

    /// Decodes what has arrived. Returns `false` for a file that libjpeg-turbo has to decode.
    func read(_ file: Span<UInt8>, _ isCancelled: () -> Bool) throws(ImageError) -> Bool {
        guard let reader, let canvas = canvas?.whole else { return false }
        do throws(JPEGStop) {
            try reader.read(file, isComplete: false, on: canvas, isCancelled)
        } catch {
            if error == .cancelled { throw .cancelled }
            return false
        }
        return true
    }

    /// Decodes a complete file.
    func decode(_ decompressor: borrowing JPEGDecompressor, _ options: DecodeOptions) throws(ImageError) {
        let pixels: PixelBuffer
        do throws(ImageError) {
            pixels = try decompressor.pixels(scale, nil, isCancelled: options.isCancelled)
        } catch {
            throw error.code == .badData ? decompressor.damage : error
        }
        if decompressor.isDamaged, !options.allowsPartial { throw decompressor.damage }
        let canvas = try PartialCanvas(pixels.size)
        // Both have the same row layout.
        pixels.withUnsafeBytes { canvas.bytes.copyMemory(from: $0) }
        self.canvas = canvas
        isDecodedByLibrary = true
        isShown = false
    }

    /// Returns a preview of all that is decoded, or `nil` if nothing is new.
    func preview(_ options: DecodeOptions, byteCount: Int) throws(ImageError) -> DecodedImage? {
        guard let canvas else { return nil }
        if isDecodedByLibrary {
            guard !isShown else { return nil }
            isShown = true
        } else {
            guard let reader, let whole = canvas.whole else { return nil }
            do throws(JPEGStop) {
                guard try reader.draw(on: whole, byteCount: byteCount, options.isCancelled) else { return nil }
            } catch {
                if error == .cancelled { throw .cancelled }
                return nil
            }
        }
        var pixels = try canvas.pixels(rowCount: rowCount, isOpaque: true) { (rows) throws(ImageError) in
            try inks?.convert(rows, isCancelled: options.isCancelled)
        }
        if let target {
            pixels = try pixels.resized(
                to: target, extent: scale.extent(of: header.storedSize, decodedAs: canvas.size),
                isCancelled: options.isCancelled)
        }
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors, isPartial: true)
    }
}
