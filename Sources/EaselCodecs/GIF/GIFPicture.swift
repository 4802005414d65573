import EaselCore

/// The decompressed indices of one frame, ready to be drawn.
struct GIFPicture: ~Copyable {
    private let frame: GIFFrame
    private let indices: ScratchMemory
    private let colors: [UInt32]
    /// How many indices there were: fewer than the frame has pixels where its data is damaged or cut off.
    private let count: Int

    /// Whether every pixel is there.
    var isComplete: Bool { count == indices.count }

    /// - Throws: `ImageError.badData` for a frame without palette, `.tooLarge` for one of more than `limit` pixels: it
    ///   may be larger than its canvas.
    init(_ frame: GIFFrame, in file: Span<UInt8>, limit: Int) throws(ImageError) {
        guard let area = frame.rectangle.size.area, area <= limit else {
            throw .tooLarge(.pixels(frame.rectangle.size, limit: limit))
        }
        guard let palette = frame.palette else { throw .badData("A frame of the GIF has no palette.") }
        let data = try GIFSubBlocks.joined(frame.data, in: file)
        let indices = try ScratchMemory(count: area, for: frame.rectangle.size)
        count =
            UnsafeRawPointer(data.bytes.baseAddress).map {
                // `joined` put eight zeros behind the data, and scratch memory has its slack.
                GIFLZW.decode(
                    $0, count: data.count - 8, minimumCodeSize: frame.minimumCodeSize,
                    into: indices.bytes.assumingMemoryBound(to: UInt8.self))
            } ?? 0
        // An index beyond the palette is an error of the file that viewers agree to show in black.
        colors = (0..<256).map { index in
            let start = palette.lowerBound + index * 3
            guard start < palette.upperBound else { return PackedPixel.opaque(red: 0, green: 0, blue: 0) }
            return PackedPixel.opaque(red: file[start], green: file[start + 1], blue: file[start + 2])
        }
        self.frame = frame
        self.indices = indices
    }

    /// Draws the pixels that lie on the canvas and are not transparent.
    func draw(on canvas: Canvas) {
        let size = frame.rectangle.size
        let visible = frame.rectangle.clipped(to: canvas.size)
        guard visible.size.width > 0, let start = indices.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        let rows = frame.isInterlaced ? Self.interlacedRows(size.height) : Array(0..<size.height)
        colors.withUnsafeBufferPointer { colors in
            for (stored, row) in rows.enumerated() where row < visible.size.height {
                // Both origins are the same: `clipped` only cuts to the right and below, since x and y are not negative.
                // Of this row, as much as was decoded.
                let available = min(visible.size.width, count - stored * size.width)
                guard available > 0 else { continue }
                let target = canvas.row(visible.y + row) + visible.x
                let source = start + stored * size.width
                if let transparent = frame.control.transparentIndex {
                    // Chosen, not branched upon: where a picture is dithered, nobody can tell the next one.
                    for x in 0..<available {
                        target[x] = source[x] == transparent ? target[x] : colors[Int(source[x])]
                    }
                } else {
                    for x in 0..<available { target[x] = colors[Int(source[x])] }
                }
            }
        }
    }

    /// The rows of an interlaced picture in the order in which they are stored: every eighth from 0, every eighth from
    /// 4, every fourth from 2, every second from 1.
    private static func interlacedRows(_ height: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in Array(stride(from: start, to: height, by: step)) }
    }
}
