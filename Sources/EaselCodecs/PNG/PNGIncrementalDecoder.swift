import CDeflate
public import EaselCore
import EaselFoundation

extension PNGCoder: IncrementalDecoding {
    /// Shows rows as they come, of an interlaced file blocks that get finer.
    ///
    /// Of an animated file this is the image for viewers without animation, mostly the first frame.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        PNGIncrementalDecoder(options)
    }
}

/// One PNG that is arriving.
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

/// The still image of a PNG whose head has come, or the one that stands for its animation.
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
        return try feed.image?.preview(options)?.image
    }
}

/// Reads a PNG that arrives in pieces as far as it has come.
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

/// The chunks of a PNG that arrives in pieces of any size.
struct PNGChunkFeed {
    /// What the bytes lead to.
    enum Event: Equatable {
        /// The image's data begins: `head` is whole.
        case headEnded
        /// Some of the image's data, as a place in the piece.
        case imageData(Range<Int>)
    }

    private enum State: Equatable {
        case signature, name, content, checksum, ended
    }

    /// All of the file up to the first data chunk, its name included.
    private(set) var head: [UInt8] = []
    /// Whether the last chunk has come.
    var hasEnded: Bool { state == .ended }

    private var state = State.signature
    private var hasHead = false
    /// The start of a field whose rest has not come.
    private var field: [UInt8] = []
    private var type = PNGChunkType(rawValue: 0)
    /// Bytes of the chunk's content that have not come.
    private var left = 0
    private var checksum: UInt32 = 0

    /// The next event in `bytes` from `offset` on, which moves behind it; `nil` where all has been read.
    ///
    /// - Throws: `ImageError.badData` for what is no PNG, and for a data chunk that does not match its checksum.
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

    /// Reads up to `count` bytes of a field; `false` where they have not all come.
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

    /// Returns whether the head ends here.
    private mutating func beginChunk() throws(ImageError) -> Bool {
        left = field.span.bigEndian32(at: 0) ?? 0
        type = PNGChunkType(rawValue: field.span.bigEndian32(at: 4) ?? 0)
        guard left <= Int32.max else { throw .badData("The PNG is damaged: a chunk says that it is too long.") }
        checksum = UInt32(libdeflate_crc32(0, Array(field.suffix(4)), 4))
        end(field: type == .end ? .ended : left == 0 ? .checksum : .content)
        // Without data there is no image, which the reader of the header reports.
        guard !hasHead, isImageData || type == .end else { return false }
        hasHead = true
        return true
    }

    /// Reads on in a chunk. Returns the place of what is the image's data.
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
