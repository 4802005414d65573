public import EaselCore

public import EaselFoundation

extension GIFCoder: AnimationEncoding {
    /// Writes a still GIF of at most 256 colors, the image's own if possible. Alpha below one half becomes transparent,
    /// other alpha opaque.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 65,535 pixels, `.tooLarge` if the file cannot meet
    ///   the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try encode(AnimationFrames(image), options)
    }

    /// Writes an animation: the changed rectangle of each frame, with a local palette. Durations are rounded to 1/100 s
    /// without accumulating errors, and are at least 2/100 s, since viewers play shorter frames for 1/10 s.
    ///
    /// - Throws: the errors of a still image, and those of the frames.
    public func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(frames, isLossy: false) { (frames, _) throws(ImageError) in
            guard max(frames.size.width, frames.size.height) <= 0xFFFF else {
                throw .unsupported("A GIF has at most 65,535 pixels a side; this one has \(frames.size).")
            }
            var writer = GIFWriter(frames)
            var sequence = GIFFrameSequence()
            for index in 0..<frames.count {
                let frame = try frames.frame(index)
                let pixels = try frame.pixels.withAlphaOfOneBit()
                if let step = try sequence.append(pixels, frame.duration) { try writer.append(step) }
            }
            if let step = sequence.finish() { try writer.append(step) }
            return writer.finish()
        }
    }
}

/// Assembles frames into a file.
private struct GIFWriter {
    private var bytes: [UInt8] = Array("GIF89a".utf8)
    private let isAnimated: Bool
    /// The time since the start, so that rounding errors do not add up.
    private var elapsed = Duration.zero

    init(_ frames: AnimationFrames) {
        isAnimated = frames.count > 1
        // No global palette, no background, square pixels.
        append16(frames.size.width, frames.size.height)
        bytes += [0x70, 0, 0]
        // A file without the extension plays once.
        if isAnimated, frames.loopCount != 1 {
            bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
            append16(min(frames.loopCount, 0xFFFF))
            bytes.append(0)
        }
    }

    mutating func append(_ step: GIFFrameSequence.Step) throws(ImageError) {
        let base = try step.base.map { (base) throws(ImageError) in try base.part(step.rectangle) }
        let image = GIFQuantizer.quantize(try step.pixels.part(step.rectangle), over: base)
        appendControl(step, transparentIndex: image.transparentIndex)
        let bitCount = image.bitCount
        bytes.append(0x2C)
        append16(step.rectangle.x, step.rectangle.y, step.rectangle.size.width, step.rectangle.size.height)
        bytes.append(0x80 | UInt8(bitCount - 1))
        for index in 0..<(1 << bitCount) {
            let color = index < image.colors.count ? image.colors[index] : 0
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) }
        }
        GIFLZWWriter.write(image.indices, minimumCodeSize: max(2, bitCount), to: &bytes)
    }

    mutating func finish() -> Data { Data(bytes + [0x3B]) }

    private mutating func appendControl(_ step: GIFFrameSequence.Step, transparentIndex: UInt8?) {
        let start = elapsed.units(perSecond: 100)
        elapsed += step.duration
        let delay = isAnimated ? max(2, elapsed.units(perSecond: 100) - start) : 0
        guard isAnimated || transparentIndex != nil else { return }
        bytes += [0x21, 0xF9, 4, (step.isCleared ? 2 : 1) << 2 | (transparentIndex == nil ? 0 : 1)]
        append16(min(delay, 0xFFFF))
        bytes += [transparentIndex ?? 0, 0]
    }

    private mutating func append16(_ values: Int...) {
        for value in values { bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)] }
    }
}

extension PixelBuffer {
    /// Returns the image with one-bit alpha: every pixel is opaque in its straight color, or 0.
    fileprivate func withAlphaOfOneBit() throws(ImageError) -> PixelBuffer {
        if isOpaque { return self }
        return try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            for y in 0..<height {
                let target = canvas.row(y)
                withRow(y) { row in
                    for x in row.indices {
                        target[x] = row[x] >> 24 < 128 ? 0 : PackedPixel.straight(row[x]) | 0xFF00_0000
                    }
                }
            }
        }
    }
}
