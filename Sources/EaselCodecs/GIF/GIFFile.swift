import EaselCore

/// What a GIF consists of: its frames, as places in the file, with every length checked against the file's end.
/// Nothing is decompressed.
struct GIFFile {
    let size: PixelSize
    private(set) var frames: [GIFFrame] = []
    /// How often the animation plays: 1 without a looping extension, 0 for ever.
    private(set) var loopCount = 1
    /// Whether the file ends inside a block. A trailer that is missing after a whole block is no loss.
    private(set) var isCutOff = false

    private let globalPalette: Range<Int>?

    /// - Throws: `ImageError.badData` for what is no GIF of 1987 or 1989, or ends before its first image.
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

    /// Bits of an index into the first frame's palette.
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
                offset += 1  // Stray terminators, which some writers leave behind.
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

    /// Returns where the extension ends, or `nil` where the file ends first.
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
            // A sub-block of the number 1 and the count.
            if file.byte(at: offset + 14) == 3, file.byte(at: offset + 15) == 1 {
                loopCount = file.littleEndian16(at: offset + 16) ?? loopCount
            }
        case 0x01:
            // Text drawn by the viewer's own font, which no viewer does; a control block before it was its own.
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

/// Runs of up to 255 bytes behind their length, ended by a length of zero.
enum GIFSubBlocks {
    /// Where the runs that start at `start` end, or `nil` where the file ends first.
    static func end(in file: Span<UInt8>, from start: Int) -> Int? {
        file.withUnsafeBufferPointer { bytes in
            var offset = start
            while offset < bytes.count {
                let count = Int(bytes[offset])
                // Nearly all are of the greatest length. Taken for granted, it makes the processor read the next one before
                // it has this one.
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

    /// The content of the runs in a part of the file, joined, as far as it goes, with zeros behind it for readers of
    /// whole words.
    static func joined(_ range: Range<Int>, in file: Span<UInt8>) throws(ImageError) -> ScratchMemory {
        var count = 0
        forEach(in: range, of: file) { count += $0.count }
        let memory = try ScratchMemory(count: count + 8, for: PixelSize(1, 1))
        let target = memory.bytes
        var end = 0
        forEach(in: range, of: file) { run in
            // The runs are those that were counted.
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
