public import EaselCore

public import EaselFoundation

extension QOICoder: ImageEncoding {
    /// Writes three channels for an opaque picture, four for others. Nothing is lost.
    ///
    /// - Throws: `ImageError.tooLarge` where it cannot be made small enough.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: false) { (image, _) throws(ImageError) in
            var writer = QOIWriter(image.pixels)
            for y in 0..<image.pixels.height {
                image.pixels.withRow(y) { row in
                    for pixel in row { writer.append(PackedPixel.straight(pixel)) }
                }
            }
            return writer.finish()
        }
    }
}

/// Writes the steps that `QOIReader` reads, each the shortest that there is for its pixel.
private struct QOIWriter {
    private var bytes: [UInt8]
    private var recent = QOIRecentPixels()
    private var last: UInt32 = 0xFF00_0000
    private var run = 0

    init(_ pixels: PixelBuffer) {
        bytes = Array("qoif".utf8)
        bytes += PNGChunkWriter.bigEndian(pixels.width) + PNGChunkWriter.bigEndian(pixels.height)
        bytes += [pixels.isOpaque ? 3 : 4, 0]
    }

    mutating func append(_ pixel: UInt32) {
        if pixel == last {
            run += 1
            if run == 62 { endRun() }
            return
        }
        endRun()
        defer { last = pixel }
        let hash = QOIRecentPixels.hash(pixel)
        if recent[hash] == pixel { return bytes.append(hash) }
        recent.insert(pixel)
        if pixel >> 24 == last >> 24 {
            appendDifference(pixel)
        } else {
            bytes += [0xFF] + components(pixel) + [UInt8(pixel >> 24)]
        }
    }

    mutating func finish() -> Data {
        endRun()
        return Data(bytes + [0, 0, 0, 0, 0, 0, 0, 1])
    }

    private mutating func endRun() {
        if run > 0 { bytes.append(0xC0 | UInt8(run - 1)) }
        run = 0
    }

    /// Of the colour alone: in two bits a component, in four to six, or whole.
    private mutating func appendDifference(_ pixel: UInt32) {
        let differences = zip(components(pixel), components(last)).map { Int(Int8(bitPattern: $0 &- $1)) }
        let (red, green, blue) = (differences[0], differences[1], differences[2])
        if differences.allSatisfy({ (-2...1).contains($0) }) {
            bytes.append(UInt8(0x40 | (red + 2) << 4 | (green + 2) << 2 | (blue + 2)))
        } else if (-32...31).contains(green), (-8...7).contains(red - green), (-8...7).contains(blue - green) {
            bytes += [UInt8(0x80 | (green + 32)), UInt8((red - green + 8) << 4 | (blue - green + 8))]
        } else {
            bytes += [0xFE] + components(pixel)
        }
    }

    private func components(_ pixel: UInt32) -> [UInt8] {
        [16, 8, 0].map { UInt8(truncatingIfNeeded: pixel >> $0) }
    }
}
