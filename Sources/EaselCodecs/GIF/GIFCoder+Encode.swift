public import EaselCore

public import EaselFoundation

extension GIFCoder: AnimationEncoding {
    /// Writes a still GIF of at most 256 colors, those of the image where it has no more. Alpha below a half is clear, other
    /// alpha is opaque.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 65,535 pixels, `.tooLarge` where it cannot be made small
    ///   enough.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try encode(AnimationFrames(image), options)
    }

    /// Writes an animation: of each frame the rectangle that has changed, in a palette of its own. Durations are rounded to
    /// 1/100 s in such a way that they add up, and are at least 2/100 s: viewers play a shorter frame for 1/10 s.
    ///
    /// - Throws: as for a still image, and what a frame throws.
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

/// Puts frames together into a file.
private struct GIFWriter {
    private var bytes: [UInt8] = Array("GIF89a".utf8)
    private let isAnimated: Bool
    /// From the start, so that rounding does not add up.
    private var elapsed = Duration.zero

    init(_ frames: AnimationFrames) {
        isAnimated = frames.count > 1
        // No palette for the whole file, no background, square pixels.
        append16(frames.size.width, frames.size.height)
        bytes += [0x70, 0, 0]
        // Once is what a file without the extension means.
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
    /// The image as GIF can have it: every pixel opaque in its straight color, or 0.
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
