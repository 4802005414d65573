import EaselCore

/// The structure of a GIF: the ranges of its frames, checked against the end of the file. Nothing is decompressed.
struct GIFFile {
    let size: PixelSize
    private(set) var frames: [GIFFrame] = []
    /// The loop count: 1 without a looping extension; 0 repeats forever.
    private(set) var loopCount = 1
    /// Whether the file ends inside a block. A trailer missing after a complete block does not count.
    private(set) var isCutOff = false

    private let globalPalette: Range<Int>?

    /// - Throws: `ImageError.badData` if the data is not a GIF87a or GIF89a, or ends before its first image.
    init(_ file: Span<UInt8>) throws(ImageError) {
        guard file.holds("GIF87a", at: 0) || file.holds("GIF89a", at: 0) else {
            throw .badData("This is no GIF: its signature is missing, damaged or of a year without GIF.")
        }
        guard let width = file.littleEndian16(at: 6), let height = file.littleEndian16(at: 8),
            let flags = file.byte(at: 10)
        else { throw .badData("The GIF is cut off before its header ends.") }
        size = PixelSize(width, height)
        var offset = 13
        globalPalette = GIFFrame.palette(flags, at: &offset)
        readBlocks(of: file, from: offset)
        guard !frames.isEmpty else { throw .badData("The GIF has no image in it, or ends before it.") }
    }

    /// The bits of an index into the palette of the first frame.
    var bitDepth: Int {
        let count = (frames.first?.palette?.count ?? 0) / 3
        return max(1, count.trailingZeroBitCount)
    }

    private mutating func readBlocks(of file: Span<UInt8>, from start: Int) {
        var offset = start
        var control = GIFFrame.Control()
        while let introducer = file.byte(at: offset) {
            switch introducer {
            case 0x3B:
                return
            case 0x00:
                offset += 1  // Stray terminators from some writers.
            case 0x21:
                guard let end = takeExtension(file, at: offset, &control) else { return isCutOff = true }
                offset = end
            case 0x2C:
                guard let frame = GIFFrame(file, at: offset, control: control, globalPalette: globalPalette) else {
                    return isCutOff = true
                }
                frames.append(frame)
                control = GIFFrame.Control()
                guard let end = frame.end else { return isCutOff = true }
                offset = end
            default:
                return isCutOff = true
            }
        }
    }

    /// Reads an extension. Returns its end, or `nil` if the file ends before it.
    private mutating func takeExtension(
        _ file: Span<UInt8>, at offset: Int, _ control: inout GIFFrame.Control
    ) -> Int? {
        guard let label = file.byte(at: offset + 1), let size = file.byte(at: offset + 2),
            let end = GIFSubBlocks.end(in: file, from: offset + 2)
        else { return nil }
        switch label {
        case 0xF9 where size >= 4:
            control = GIFFrame.Control(file, at: offset + 3)
        case 0xFF where size == 11 && Self.isLooping(file, at: offset + 3):
            // A sub-block of the number 1 and the loop count.
            if file.byte(at: offset + 14) == 3, file.byte(at: offset + 15) == 1 {
                loopCount = file.littleEndian16(at: offset + 16) ?? loopCount
            }
        case 0x01:
            // A plain text extension, which viewers ignore. It uses up the preceding control extension.
            control = GIFFrame.Control()
        default:
            break
        }
        return end
    }

    private static func isLooping(_ file: Span<UInt8>, at offset: Int) -> Bool {
        file.holds("NETSCAPE2.0", at: offset) || file.holds("ANIMEXTS1.0", at: offset)
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
    static func joined(_ range: Range<Int>, in file: Span<UInt8>) throws(ImageError) -> ScratchMemory {
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
