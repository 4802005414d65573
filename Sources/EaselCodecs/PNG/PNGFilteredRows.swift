import EaselCore

/// A picture as PNG stores it before compression: straight colour, each row predicted by the filter that leaves least.
struct PNGFilteredRows: ~Copyable {
    /// 3 for an opaque picture, else 4.
    let channels: Int
    /// A filter byte and the filtered samples, row after row.
    let memory: ScratchMemory

    init(_ pixels: PixelBuffer) throws(ImageError) {
        let channels = pixels.isOpaque ? 3 : 4
        let count = pixels.width * channels
        let memory = try ScratchMemory(count: pixels.height * (count + 1), for: pixels.size)
        // The row, the one above it, and a row for each filter: one block.
        let work = try ScratchMemory(count: count * (2 + PNGFilter.allCases.count), for: pixels.size)
        let output = memory.bytes
        pixels.withUnsafeBytes { source in
            guard let start = source.baseAddress, let target = output.baseAddress, let block = work.bytes.baseAddress
            else { return }
            var row = block.assumingMemoryBound(to: UInt8.self)
            var previous = row + count
            let candidates = row + count * 2
            previous.update(repeating: 0, count: count)
            for y in 0..<pixels.height {
                let line = start.advanced(by: y * pixels.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                Self.straighten(line, pixels.width, channels, into: row)
                let filter = PNGFilter.best(
                    row, previous, candidates: candidates, count: count, distance: channels)
                // Row `y` of `memory`: `count + 1` bytes, as it was allocated for.
                let place = target.advanced(by: y * (count + 1)).assumingMemoryBound(to: UInt8.self)
                place[0] = filter.rawValue
                (place + 1).update(from: candidates + count * Int(filter.rawValue), count: count)
                swap(&row, &previous)
            }
        }
        self.channels = channels
        self.memory = memory
    }

    /// Premultiplied B, G, R, A to straight R, G, B and, with four channels, A.
    private static func straighten(
        _ pixels: UnsafePointer<UInt8>, _ width: Int, _ channels: Int, into row: UnsafeMutablePointer<UInt8>
    ) {
        if channels == 3 {
            for x in 0..<width {
                row[x &* 3] = pixels[x &* 4 &+ 2]
                row[x &* 3 &+ 1] = pixels[x &* 4 &+ 1]
                row[x &* 3 &+ 2] = pixels[x &* 4]
            }
            return
        }
        for x in 0..<width {
            let pixel = pixels + x &* 4
            let place = row + x &* 4
            let alpha = pixel[3]
            place[3] = alpha
            for channel in 0..<3 {
                let component = pixel[2 - channel]
                place[channel] =
                    alpha == 255 ? component : alpha == 0 ? 0 : PackedPixel.straight(component, alpha: alpha)
            }
        }
    }
}
