import EaselCore

/// An image of a GIF: its rectangle, its timing and the location of its data.
struct GIFFrame {
    /// A graphic control extension, which describes how to show the next image.
    struct Control {
        var delayInMilliseconds = 0
        var disposal = FramePlacement.Disposal.keep
        var transparentIndex: UInt8?
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
    var duration: Duration { FrameTiming.played(milliseconds: control.delayInMilliseconds) }

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

extension GIFFrame.Control {
    /// Reads the four bytes of a control extension at `offset`. They must be inside the file.
    init(_ file: Span<UInt8>, at offset: Int) {
        let flags = file.byte(at: offset) ?? 0
        delayInMilliseconds = (file.littleEndian16(at: offset + 1) ?? 0) * 10
        disposal =
            switch flags >> 2 & 7 {
            case 2: .clear
            case 3, 4: .restore  // 4 is a mistake as common as the standard's 3.
            default: .keep
            }
        transparentIndex = flags & 1 == 0 ? nil : file.byte(at: offset + 3)
    }
}

/// Computes the stored part of each frame of an animation with one-bit alpha. GIF frames can draw over the canvas, but
/// only disposal of the previous frame makes pixels transparent again.
///
/// A frame is therefore returned when its successor is known. If opaque pixels become transparent in the successor, the
/// frame's rectangle is cleared by its disposal.
struct GIFFrameSequence {
    /// A frame to store.
    struct Step {
        var pixels: PixelBuffer
        /// The canvas before the frame is drawn; `nil` if it is empty.
        var base: PixelBuffer?
        var rectangle: PixelRectangle
        var duration: Duration
        /// Whether the rectangle is cleared after the frame.
        var isCleared = false
    }

    private var waiting: Step?

    /// Adds the next frame and returns the previous one.
    mutating func append(_ pixels: PixelBuffer, _ duration: Duration) throws(ImageError) -> Step? {
        guard var step = waiting else {
            waiting = Step(pixels: pixels, base: nil, rectangle: .whole(pixels.size), duration: duration)
            return nil
        }
        var canvas = step.pixels
        // Pixels that are opaque in this frame and transparent in the next one.
        if let gone = step.pixels.area(comparedWith: pixels, where: { $0 != 0 && $1 == 0 }) {
            step.rectangle = step.rectangle.union(gone)
            step.isCleared = true
            canvas = try canvas.clearing(step.rectangle)
        }
        let rectangle = pixels.area(comparedWith: canvas, where: !=) ?? .pixel
        waiting = Step(pixels: pixels, base: canvas, rectangle: rectangle, duration: duration)
        return step
    }

    /// Returns the last frame.
    mutating func finish() -> Step? {
        defer { waiting = nil }
        return waiting
    }
}

extension PixelBuffer {
    /// Returns the image with a transparent rectangle.
    fileprivate func clearing(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            canvas.draw(self, in: .whole(size), over: false)
            canvas.clear(rectangle)
        }
    }
}
