import CDeflate
public import EaselCore
import EaselFoundation

extension PNGCoder: IncrementalDecoding {
    /// Creates a decoder that shows rows as they arrive. Interlaced images show blocks that become finer.
    ///
    /// For an animation, it shows the image for viewers without animation support, usually the first frame.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        PNGIncrementalDecoder(options)
    }
}

private final class PNGIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private let feed = PNGFeed()

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        try feed.append(bytes.span, options)
    }

    func preview() throws(ImageError) -> ImagePreview? {
        try options.checkCancellation()
        return try feed.image?.preview(options)
    }
}

/// The still or default image of a PNG, after its header chunks have arrived.
final class PNGArrivingImage {
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
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for an inconsistent header.
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

    func take(_ data: Span<UInt8>, isCancelled: () -> Bool) throws(ImageError) {
        try data.withUnsafeBytes { (data) throws(ImageError) in
            try stream.inflate(data, through: buffer.bytes) { (bytes) throws(ImageError) in
                if isCancelled() { throw .cancelled }
                try rows.take(bytes)
            }
        }
    }

    /// Returns all rows received so far; `nil` if nothing has changed since the last preview.
    func preview(_ options: DecodeOptions) throws(ImageError) -> ImagePreview? {
        guard rows.rowCount > shownRowCount else { return nil }
        shownRowCount = rows.rowCount
        return ImagePreview(image: try image(options))
    }

    private func image(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try canvas.pixels(rowCount: rows.visibleRows, isOpaque: isOpaque)
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors, isPartial: true)
    }

    /// Returns the rows of a truncated file; `nil` if it contains none.
    static func part(of file: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) -> DecodedImage? {
        let feed = PNGFeed()
        try feed.append(file, options)
        return try feed.image?.preview(options)?.image
    }
}

/// Decodes a PNG that arrives in pieces.
final class PNGFeed {
    private var chunks = PNGChunkFeed()
    private(set) var image: PNGArrivingImage?

    func append(_ bytes: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) {
        var offset = 0
        while let event = try chunks.next(in: bytes, at: &offset) {
            switch event {
            case .headEnded:
                image = try PNGArrivingImage(head: chunks.head.span, options)
            case .imageData(let place):
                try image?.take(bytes.extracting(place), isCancelled: options.isCancelled)
            }
        }
    }
}

/// A parser for the chunks of a PNG that arrives in pieces of any size.
struct PNGChunkFeed {
    /// A parsed part of the file.
    enum Event: Equatable {
        /// The image data begins: `head` is complete.
        case headEnded
        /// Image data, as a range of the current piece.
        case imageData(Range<Int>)
    }

    private enum State: Equatable {
        case signature, name, content, checksum, ended
    }

    /// The file up to and including the name of the first data chunk.
    private(set) var head: [UInt8] = []
    /// Whether the last chunk has arrived.
    var hasEnded: Bool { state == .ended }

    private var state = State.signature
    private var hasHead = false
    /// The received beginning of an incomplete field.
    private var field: [UInt8] = []
    private var type = PNGChunkType(rawValue: 0)
    /// The remaining bytes of the chunk's content.
    private var left = 0
    private var checksum: UInt32 = 0

    /// Returns the next event in `bytes` and advances `offset` past it; `nil` at the end of `bytes`.
    ///
    /// - Throws: `ImageError.badData` if the data is not a PNG, and for a data chunk that does not match its checksum.
    mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(ImageError) -> Event? {
        while offset < bytes.count {
            switch state {
            case .signature:
                guard take(8, of: bytes, at: &offset) else { return nil }
                guard field == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
                    throw .badData("This is no PNG: its signature is missing or damaged.")
                }
                end(field: .name)
            case .name:
                guard take(8, of: bytes, at: &offset) else { return nil }
                if try beginChunk() { return .headEnded }
            case .content:
                if let data = takeContent(of: bytes, at: &offset) { return .imageData(data) }
            case .checksum:
                guard take(4, of: bytes, at: &offset) else { return nil }
                if isImageData, field.span.bigEndian32(at: 0) != Int(checksum) {
                    throw .badData("The PNG's data is damaged or cut off.")
                }
                end(field: .name)
            case .ended:
                offset = bytes.count
            }
        }
        return nil
    }

    private var isImageData: Bool { type == .imageData }

    /// Reads a field of `count` bytes. Returns `false` if it is incomplete.
    private mutating func take(_ count: Int, of bytes: Span<UInt8>, at offset: inout Int) -> Bool {
        let end = min(offset + count - field.count, bytes.count)
        for index in offset..<end { field.append(bytes[index]) }
        offset = end
        return field.count == count
    }

    private mutating func end(field next: State) {
        if !hasHead { head += field }
        field.removeAll(keepingCapacity: true)
        state = next
    }

    /// Returns whether the header chunks end here.
    private mutating func beginChunk() throws(ImageError) -> Bool {
        left = field.span.bigEndian32(at: 0) ?? 0
        type = PNGChunkType(rawValue: field.span.bigEndian32(at: 4) ?? 0)
        guard left <= Int32.max else { throw .badData("The PNG is damaged: a chunk says that it is too long.") }
        checksum = UInt32(libdeflate_crc32(0, Array(field.suffix(4)), 4))
        end(field: type == .end ? .ended : left == 0 ? .checksum : .content)
        // The header parser reports a file without image data.
        guard !hasHead, isImageData || type == .end else { return false }
        hasHead = true
        return true
    }

    /// Reads content of the current chunk. Returns the range of image data in it.
    private mutating func takeContent(of bytes: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
        let piece = offset..<min(offset + left, bytes.count)
        offset = piece.upperBound
        left -= piece.count
        if left == 0 { state = .checksum }
        if isImageData {
            checksum = bytes.extracting(piece).withUnsafeBytes {
                libdeflate_crc32(checksum, $0.baseAddress, $0.count)
            }
            return piece
        }
        if !hasHead { bytes.extracting(piece).withUnsafeBytes { head.append(contentsOf: $0) } }
        return nil
    }
}
