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
    private var chunks = PNGChunkParser()
    private var image: PNGPartialImage?

    init(_ options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        try append(bytes.span)
    }

    func append(_ bytes: Span<UInt8>) throws(ImageError) {
        var offset = 0
        while let event = try chunks.next(in: bytes, at: &offset) {
            switch event {
            case .headEnded: image = try PNGPartialImage(head: chunks.head.span, options)
            case .imageData(let range): try image?.append(bytes.extracting(range))
            }
        }
    }

    func preview() throws(ImageError) -> DecodedImage? {
        try options.checkCancellation()
        return try image?.preview()
    }
}

/// The still or default image of a PNG, after its header chunks have arrived.
final class PNGPartialImage {
    private let options: DecodeOptions
    private let header: ImageHeader
    private let raster: PNGRaster
    private let canvas: PartialCanvas
    private let rows: PNGRowAssembler
    private let stream: InflateStream
    private let buffer: ScratchMemory
    private var shownRowCount = 0

    /// - Parameter head: the file up to its data.
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData` for an inconsistent header.
    init(head: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) {
        raster = PNGRaster(try PNGFile(head), in: head, convertingTo: options.colorSpace)
        header = raster.header(in: head)
        self.options = options
        try options.limits.check(header)
        canvas = try PartialCanvas(header.storedSize)
        rows = try PNGRowAssembler(raster, on: canvas)
        stream = try InflateStream()
        buffer = try ScratchMemory(count: 64 << 10, for: header.storedSize)
    }

    /// Adds image data.
    func append(_ data: Span<UInt8>) throws(ImageError) {
        try data.withUnsafeBytes { (data) throws(ImageError) in
            try stream.inflate(data, through: buffer.bytes) { (bytes) throws(ImageError) in
                try options.checkCancellation()
                try rows.append(bytes)
            }
        }
    }

    /// Returns all rows received so far; `nil` if nothing has changed since the last preview.
    func preview() throws(ImageError) -> DecodedImage? {
        guard rows.rowCount > shownRowCount else { return nil }
        shownRowCount = rows.rowCount
        let pixels = try canvas.pixels(rowCount: rows.visibleRows, isOpaque: !raster.expander.hasAlpha)
        return try DecodedImage(
            stored: pixels, header: header, options: options, colors: raster.colors, isPartial: true)
    }

    /// Returns the rows of a truncated file; `nil` if it contains none.
    static func partialImage(of file: Span<UInt8>, _ options: DecodeOptions) throws(ImageError) -> DecodedImage? {
        let decoder = PNGIncrementalDecoder(options)
        try decoder.append(file)
        return try decoder.preview()
    }
}

/// A parser for the chunks of a PNG that arrives in pieces of any size.
struct PNGChunkParser {
    /// A parsed part of the file.
    enum Event: Equatable {
        /// The image data begins: `head` is complete.
        case headEnded
        /// Image data, as a range of the current piece.
        case imageData(Range<Int>)
    }

    private enum State { case signature, name, content, checksum, ended }

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
    private var remainingCount = 0
    private var checksum: UInt32 = 0

    /// Returns the next event in `bytes` and advances `offset` past it; `nil` at the end of `bytes`.
    ///
    /// - Throws: `ImageError.badData` if the data is not a PNG, and for a data chunk that does not match its checksum.
    mutating func next(in bytes: Span<UInt8>, at offset: inout Int) throws(ImageError) -> Event? {
        while offset < bytes.count, state != .ended {
            if state == .content {
                if let data = readContent(of: bytes, at: &offset) { return .imageData(data) }
                continue
            }
            let count = state == .checksum ? 4 : 8
            let end = min(offset + count - field.count, bytes.count)
            for index in offset..<end { field.append(bytes[index]) }
            offset = end
            guard field.count == count else { return nil }
            defer { field.removeAll(keepingCapacity: true) }
            if !hasHead { head += field }
            switch state {
            case .signature:
                guard field == PNGChunkWriter.signature else { throw .badData("Not a PNG file.") }
            case .name:
                if try beginChunk() { return .headEnded }
                continue
            default:
                if isImageData, field.span.bigEndian32(at: 0) != Int(checksum) { throw .damaged }
            }
            state = .name
        }
        offset = bytes.count
        return nil
    }

    private var isImageData: Bool { type == .imageData }

    /// Returns whether the header chunks end here.
    private mutating func beginChunk() throws(ImageError) -> Bool {
        remainingCount = field.span.bigEndian32(at: 0) ?? 0
        type = PNGChunkType(rawValue: field.span.bigEndian32(at: 4) ?? 0)
        guard remainingCount <= Int32.max else { throw .badData("A PNG chunk is too long.") }
        checksum = UInt32(libdeflate_crc32(0, Array(field.suffix(4)), 4))
        state = type == .end ? .ended : remainingCount == 0 ? .checksum : .content
        // The header parser reports a file without image data.
        guard !hasHead, isImageData || type == .end else { return false }
        hasHead = true
        return true
    }

    /// Reads content of the current chunk. Returns the range of image data in it.
    private mutating func readContent(of bytes: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
        let piece = offset..<min(offset + remainingCount, bytes.count)
        offset = piece.upperBound
        remainingCount -= piece.count
        if remainingCount == 0 { state = .checksum }
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

/// An object that assembles the rows of a PNG from inflated data as it arrives.
final class PNGRowAssembler {
    private let header: PNGImageHeader
    private let expander: PNGRowExpander
    private let canvas: PartialCanvas
    private let passes: [PNGPass]
    private var passIndex = -1
    /// The size of the current pass in pixels.
    private var area = PixelSize(0, 0)
    private var row = 0
    /// Buffers for the current row, with its filter byte and `filled` bytes so far, and the row above. They alternate.
    private let evenLine: ScratchMemory
    private let oddLine: ScratchMemory
    private var isEvenLineCurrent = true
    private var filled = 0
    /// The pixels of a row.
    private let line: ScratchMemory

    /// The number of rows received, in all passes.
    private(set) var rowCount = 0
    /// The number of rows from the top in which every pixel has a value, possibly that of a neighbor.
    private(set) var visibleRows = 0
    /// Whether all passes are complete.
    var isComplete: Bool { passIndex >= passes.count }

    init(_ raster: PNGRaster, on canvas: PartialCanvas) throws(ImageError) {
        header = raster.file.header
        expander = raster.expander
        self.canvas = canvas
        passes = header.isInterlaced ? PNGPass.adam7 : [.whole]
        let longest = header.rowByteCount(width: header.size.width) + 1
        evenLine = try ScratchMemory(count: longest, for: header.size)
        oddLine = try ScratchMemory(count: longest, for: header.size)
        line = try ScratchMemory(count: header.size.width * 4, for: header.size)
        beginPass()
    }

    /// Adds inflated bytes.
    ///
    /// - Throws: `ImageError.badData` for an unknown filter, and for more bytes than the image has.
    func append(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        var offset = 0
        while offset < bytes.count {
            guard !isComplete, let line = current.baseAddress else {
                throw .badData("The image data is larger than the image.")
            }
            let count = min(lineByteCount - filled, bytes.count - offset)
            // Both buffers have room for the longest row, and `count` ends with this one.
            UnsafeMutableRawBufferPointer(start: line + filled, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
            filled += count
            offset += count
            if filled == lineByteCount { try finishRow() }
        }
    }

    private var lineByteCount: Int { header.rowByteCount(width: area.width) + 1 }
    private var current: UnsafeMutableRawBufferPointer {
        isEvenLineCurrent ? evenLine.paddedBytes : oddLine.paddedBytes
    }
    private var previous: UnsafeMutableRawBufferPointer {
        isEvenLineCurrent ? oddLine.paddedBytes : evenLine.paddedBytes
    }

    private func finishRow() throws(ImageError) {
        let samples = 1..<(lineByteCount + PixelKernels.slack)
        let line = UnsafeMutableRawBufferPointer(rebasing: current[samples])
        try PNGFilter.restore(
            line, after: UnsafeRawBufferPointer(rebasing: previous[samples]), count: lineByteCount - 1,
            distance: header.filterDistance, filter: current[0])
        draw(UnsafeRawBufferPointer(line))
        rowCount += 1
        row += 1
        filled = 0
        isEvenLineCurrent.toggle()
        if row == area.height { beginPass() }
    }

    private func beginPass() {
        repeat {
            passIndex += 1
            guard passIndex < passes.count else { return }
            area = passes[passIndex].size(in: header.size)
        } while area.width == 0 || area.height == 0
        row = 0
        // The row above the first one is all zeros.
        previous.initializeMemory(as: UInt8.self, repeating: 0)
    }

    private func draw(_ samples: UnsafeRawBufferPointer) {
        let pass = passes[passIndex]
        let y = pass.y + row * pass.stepY
        let block = pass.block
        guard let canvas = Canvas(canvas.bytes, bytesPerRow: canvas.bytesPerRow, size: header.size) else { return }
        if pass == .whole {
            _ = expander.expand(samples, width: area.width, into: canvas.row(y), step: 1, through: line.bytes)
        } else {
            _ = expander.expand(samples, width: area.width, into: line.bytes)
            let pixels = line.bytes.assumingMemoryBound(to: UInt32.self)
            for column in 0..<area.width {
                let rectangle = PixelRectangle(x: pass.x + column * pass.stepX, y: y, size: block)
                canvas.fill(rectangle, with: pixels[column])
            }
        }
        visibleRows = max(visibleRows, min(y + block.height, header.size.height))
    }
}

extension PNGPass {
    /// The block that a pixel fills until later passes arrive. It contains no other pixel of this or an earlier pass.
    fileprivate var block: PixelSize {
        self == .whole ? PixelSize(1, 1) : PixelSize(x == 0 ? stepX : stepX - x, y == 0 ? stepY : stepY - y)
    }
}
