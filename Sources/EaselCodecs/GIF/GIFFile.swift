import EaselCore

/// The structure of a GIF: the ranges of its frames, checked against the end of the file. Nothing is decompressed.
struct GIFFile {
    let size: PixelSize
    private(set) var frames: [GIFFrame] = []
    /// The loop count: 1 without a looping extension; 0 repeats forever.
    private(set) var loopCount = 1
    /// Whether the file ends inside a block. A trailer missing after a complete block does not count.
    private(set) var isTruncated = false

    private let globalPalette: Range<Int>?

    /// - Throws: `ImageError.badData` if the data is not a GIF87a or GIF89a, or ends before its first image;
    ///   `.tooLarge` for more frames than `ImageLimits.checkListed` allows.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.hasText("GIF87a", at: 0) || file.hasText("GIF89a", at: 0) else { throw .badData("Not a GIF file.") }
        guard let width = file.littleEndian16(at: 6), let height = file.littleEndian16(at: 8),
            let flags = file.byte(at: 10)
        else { throw .truncated }
        size = PixelSize(width, height)
        var offset = 13
        globalPalette = GIFFrame.palette(flags, at: &offset)
        try readBlocks(of: file, from: offset)
        guard !frames.isEmpty else { throw .badData("The GIF file has no image.") }
    }

    /// The bits of an index into the palette of the first frame.
    var bitDepth: Int {
        let count = (frames.first?.palette?.count ?? 0) / 3
        return max(1, count.trailingZeroBitCount)
    }

    private mutating func readBlocks(of file: Span<UInt8>, from start: Int) throws(ImageError) {
        var offset = start
        var control = GIFFrame.Control()
        while let introducer = file.byte(at: offset) {
            switch introducer {
            case 0x3B:
                return
            case 0x00:
                offset += 1  // Stray terminators from some writers.
            case 0x21:
                guard let end = readExtension(file, at: offset, &control) else { return isTruncated = true }
                offset = end
            case 0x2C:
                guard let frame = GIFFrame(file, at: offset, control: control, globalPalette: globalPalette) else {
                    return isTruncated = true
                }
                frames.append(frame)
                try ImageLimits.checkListed(frames: frames.count)
                control = GIFFrame.Control()
                guard let end = frame.end else { return isTruncated = true }
                offset = end
            default:
                return isTruncated = true
            }
        }
    }

    /// Reads an extension. Returns its end, or `nil` if the file ends before it.
    private mutating func readExtension(
        _ file: Span<UInt8>, at offset: Int, _ control: inout GIFFrame.Control
    ) -> Int? {
        guard let label = file.byte(at: offset + 1), let size = file.byte(at: offset + 2),
            let end = GIFSubBlocks.end(in: file, from: offset + 2)
        else { return nil }
        switch label {
        case 0xF9 where size >= 4:
            control = GIFFrame.Control(file, at: offset + 3)
        case 0xFF
        where file.hasText("\u{B}NETSCAPE2.0", at: offset + 2) || file.hasText("\u{B}ANIMEXTS1.0", at: offset + 2):
            // A sub-block of the number 1 and the loop count.
            if file.byte(at: offset + 14) == 3, file.byte(at: offset + 15) == 1 {
                loopCount = file.littleEndian16(at: offset + 16) ?? loopCount
            }
        case 0x01:
            // A plain text extension, which viewers ignore. It consumes the preceding control extension.
            control = GIFFrame.Control()
        default:
            break
        }
        return end
    }
}

/// Sub-blocks: up to 255 bytes each, preceded by their length, and terminated by a length of zero.
enum GIFSubBlocks {
    /// Returns the end of the sub-blocks that start at `start`, or `nil` if the file ends before it.
    static func end(in file: Span<UInt8>, from start: Int) -> Int? {
        file.withUnsafeBufferPointer { bytes in
            var offset = start
            while offset < bytes.count {
                let count = Int(bytes[offset])
                // Predicts the most common length, so that the processor reads the next one early.
                if count == 255 {
                    offset += 256
                    continue
                }
                offset += 1 + count
                if count == 0 { return offset }
            }
            return nil
        }
    }

    /// Returns the joined content of the sub-blocks in a range, followed by zeros for readers of whole words.
    static func join(_ range: Range<Int>, in file: Span<UInt8>) throws(ImageError) -> ScratchMemory {
        var count = 0
        forEach(in: range, of: file) { count += $0.count }
        let memory = try ScratchMemory(count: count + 8, for: PixelSize(1, 1))
        let target = memory.bytes
        var end = 0
        forEach(in: range, of: file) { run in
            // The total size was computed from these sub-blocks.
            file.extracting(run).withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[end...]).copyMemory(from: $0)
            }
            end += run.count
        }
        UnsafeMutableRawBufferPointer(rebasing: target[end...]).initializeMemory(as: UInt8.self, repeating: 0)
        return memory
    }

    private static func forEach(in range: Range<Int>, of file: Span<UInt8>, _ body: (Range<Int>) -> Void) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(file[offset])
            if count == 0 { return }
            body((offset + 1)..<min(offset + 1 + count, range.upperBound))
            offset += 1 + count
        }
    }
}

/// An image of a GIF: its rectangle, its timing and the location of its data.
struct GIFFrame {
    /// A graphic control extension, which describes how to show the next image.
    struct Control {
        var delayInMilliseconds = 0
        var disposal = FramePlacement.Disposal.keep
        var transparentIndex: UInt8?

        init() {}

        /// Reads the four bytes of a control extension at `offset`. They must be inside the file.
        init(_ file: Span<UInt8>, at offset: Int) {
            let flags = file.byte(at: offset) ?? 0
            delayInMilliseconds = (file.littleEndian16(at: offset + 1) ?? 0) * 10
            disposal =
                switch flags >> 2 & 7 {
                case 2: .clear
                case 3, 4: .restore  // The standard has 3. Some writers store 4.
                default: .keep
                }
            transparentIndex = flags & 1 == 0 ? nil : file.byte(at: offset + 3)
        }
    }

    /// The rectangle of the image. Part of it can be outside the canvas.
    var rectangle: PixelRectangle
    var control: Control
    var isInterlaced: Bool
    /// The range of the palette, three bytes a color; `nil` if the image has none.
    var palette: Range<Int>?
    var minimumCodeSize: Int
    /// The sub-blocks of the data, up to the end of the file if it is truncated.
    var data: Range<Int>
    /// The start of the next block; `nil` if the file ends before it.
    var end: Int?

    /// Reads the image with a descriptor at `start`. Returns `nil` if the file ends before its data.
    init?(_ file: Span<UInt8>, at start: Int, control: Control, globalPalette: Range<Int>?) {
        guard let x = file.littleEndian16(at: start + 1), let y = file.littleEndian16(at: start + 3),
            let width = file.littleEndian16(at: start + 5), let height = file.littleEndian16(at: start + 7),
            let flags = file.byte(at: start + 9)
        else { return nil }
        var offset = start + 10
        let localPalette = Self.palette(flags, at: &offset)
        guard let codeSize = file.byte(at: offset) else { return nil }
        rectangle = PixelRectangle(x: x, y: y, size: PixelSize(width, height))
        self.control = control
        isInterlaced = flags & 0x40 != 0
        // The descriptor follows both palettes, so they are inside the file.
        palette = localPalette ?? globalPalette
        minimumCodeSize = Int(codeSize)
        end = GIFSubBlocks.end(in: file, from: offset + 1)
        data = (offset + 1)..<min(end ?? file.count, file.count)
    }

    /// The playback duration.
    var duration: Duration { Duration.playback(milliseconds: control.delayInMilliseconds) }

    /// Returns the placement on a canvas of this size.
    func placement(on canvas: PixelSize) -> FramePlacement {
        let isOpaque = control.transparentIndex == nil
        return FramePlacement(
            rectangle: rectangle.clipped(to: canvas), disposal: control.disposal, hidesCanvas: isOpaque,
            isOpaque: isOpaque)
    }

    /// Returns the range of a palette that `flags` announce at `offset`, and advances `offset` past it.
    static func palette(_ flags: UInt8, at offset: inout Int) -> Range<Int>? {
        guard flags & 0x80 != 0 else { return nil }
        let start = offset
        offset += 3 << (Int(flags & 7) + 1)
        return start..<offset
    }
}
