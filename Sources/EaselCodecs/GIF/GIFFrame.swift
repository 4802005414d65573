import EaselCore

/// One image of a GIF: where it stands, how long, and where its data lies.
struct GIFFrame {
    /// A graphic control extension, which says how the next image is shown.
    struct Control {
        var delayInMilliseconds = 0
        var disposal = FramePlacement.Disposal.keep
        var transparentIndex: UInt8?
    }

    /// Where the image stands; a part of it may lie outside the canvas.
    var rectangle: PixelRectangle
    var control: Control
    var isInterlaced: Bool
    /// Three bytes a color; `nil` where the file has no palette for this image.
    var palette: Range<Int>?
    var minimumCodeSize: Int
    /// The sub-blocks of the data, up to the end of the file where it is cut off.
    var data: Range<Int>
    /// Where the next block starts; `nil` where the file ends before it.
    var end: Int?

    /// The image whose descriptor starts at `start`; `nil` where the file ends before its data.
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
        // The file went on behind both palettes, so they are inside it.
        palette = localPalette ?? globalPalette
        minimumCodeSize = Int(codeSize)
        end = GIFSubBlocks.end(in: file, from: offset + 1)
        data = (offset + 1)..<min(end ?? file.count, file.count)
    }

    /// How long it is shown, as played.
    var duration: Duration { FrameTiming.played(milliseconds: control.delayInMilliseconds) }

    /// How it stands on a canvas of this size.
    func placement(on canvas: PixelSize) -> FramePlacement {
        let isOpaque = control.transparentIndex == nil
        return FramePlacement(
            rectangle: rectangle.clipped(to: canvas), disposal: control.disposal, hidesCanvas: isOpaque,
            isOpaque: isOpaque)
    }

    /// The place of a palette that `flags` announce at `offset`, which moves behind it.
    static func palette(_ flags: UInt8, at offset: inout Int) -> Range<Int>? {
        guard flags & 0x80 != 0 else { return nil }
        let start = offset
        offset += 3 << (Int(flags & 7) + 1)
        return start..<offset
    }
}

extension GIFFrame.Control {
    /// The control block whose four bytes start at `offset` and lie inside the file.
    init(_ file: Span<UInt8>, at offset: Int) {
        let flags = file.byte(at: offset) ?? 0
        delayInMilliseconds = (file.littleEndian16(at: offset + 1) ?? 0) * 10
        disposal =
            switch flags >> 2 & 7 {
            case 2: .clear
            case 3, 4: .restore  // 4 was written by a mistake as common as the standard's 3.
            default: .keep
            }
        transparentIndex = flags & 1 == 0 ? nil : file.byte(at: offset + 3)
    }
}

/// Decides what is stored of each frame of an animation whose pixels are opaque or clear, in a format that can draw over what
/// was there but cannot make it clear again, except by taking the frame before away.
///
/// So a frame is given out when the next one is known: where that one is clear and this one is not, this one's rectangle is
/// taken away afterwards.
struct GIFFrameSequence {
    /// A frame as it is to be stored.
    struct Step {
        var pixels: PixelBuffer
        /// What is on the canvas when it is drawn; `nil` for an empty one.
        var base: PixelBuffer?
        var rectangle: PixelRectangle
        var duration: Duration
        /// Whether the rectangle becomes clear afterwards.
        var isCleared = false
    }

    private var waiting: Step?

    /// Takes the next frame, and gives out the one before it.
    mutating func append(_ pixels: PixelBuffer, _ duration: Duration) throws(ImageError) -> Step? {
        guard var step = waiting else {
            waiting = Step(pixels: pixels, base: nil, rectangle: .whole(pixels.size), duration: duration)
            return nil
        }
        var canvas = step.pixels
        // Opaque now, and clear then.
        if let gone = step.pixels.area(comparedWith: pixels, where: { $0 != 0 && $1 == 0 }) {
            step.rectangle = step.rectangle.union(gone)
            step.isCleared = true
            canvas = try canvas.clearing(step.rectangle)
        }
        let rectangle = pixels.area(comparedWith: canvas, where: !=) ?? .pixel
        waiting = Step(pixels: pixels, base: canvas, rectangle: rectangle, duration: duration)
        return step
    }

    /// The last frame.
    mutating func finish() -> Step? {
        defer { waiting = nil }
        return waiting
    }
}

extension PixelBuffer {
    /// The image with a part of it clear.
    fileprivate func clearing(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            canvas.draw(self, in: .whole(size), over: false)
            canvas.clear(rectangle)
        }
    }
}
