import EaselCore

/// A picture as PNG stores it before compression: straight colour, each row predicted by the filter that leaves least.
struct PNGFilteredRows: ~Copyable {
    /// A filter byte and the filtered samples, row after row.
    let memory: ScratchMemory

    /// - Parameter hasAlpha: whether alpha is stored; that of an opaque picture need not be.
    init(_ pixels: PixelBuffer, hasAlpha: Bool) throws(ImageError) {
        let channels = hasAlpha ? 4 : 3
        try self.init(pixels.size, bytesPerPixel: channels) { y, row in
            pixels.withRow(y) { line in
                guard let start = line.baseAddress else { return }
                Self.straighten(start, line.count, channels, into: row)
            }
        }
    }

    /// The same of 16 bits a channel.
    init(_ pixels: DeepPixelBuffer, hasAlpha: Bool) throws(ImageError) {
        let channels = hasAlpha ? 4 : 3
        try self.init(pixels.size, bytesPerPixel: channels * 2) { y, row in
            pixels.copyStraightRow(y, channels: channels, into: row)
        }
    }

    /// - Parameter read: writes the samples of a row.
    private init(
        _ size: PixelSize, bytesPerPixel: Int, read: (_ y: Int, _ row: UnsafeMutablePointer<UInt8>) -> Void
    ) throws(ImageError) {
        let count = size.width * bytesPerPixel
        let memory = try ScratchMemory(count: size.height * (count + 1), for: size)
        // The row, the one above it, and a row for each filter: one block.
        let work = try ScratchMemory(count: count * (2 + PNGFilter.allCases.count), for: size)
        if let target = memory.bytes.baseAddress, let block = work.bytes.baseAddress {
            var row = block.assumingMemoryBound(to: UInt8.self)
            var previous = row + count
            let candidates = row + count * 2
            previous.update(repeating: 0, count: count)
            for y in 0..<size.height {
                read(y, row)
                let filter = PNGFilter.best(
                    row, previous, candidates: candidates, count: count, distance: bytesPerPixel)
                // Row `y` of `memory`: `count + 1` bytes, as it was allocated for.
                let place = target.advanced(by: y * (count + 1)).assumingMemoryBound(to: UInt8.self)
                place[0] = filter.rawValue
                (place + 1).update(from: candidates + count * Int(filter.rawValue), count: count)
                swap(&row, &previous)
            }
        }
        self.memory = memory
    }

    /// Premultiplied B, G, R, A to straight R, G, B and, with four channels, A.
    private static func straighten(
        _ pixels: UnsafePointer<UInt32>, _ width: Int, _ channels: Int, into row: UnsafeMutablePointer<UInt8>
    ) {
        if channels == 3 {
            for x in 0..<width {
                row[x &* 3] = UInt8(truncatingIfNeeded: pixels[x] >> 16)
                row[x &* 3 &+ 1] = UInt8(truncatingIfNeeded: pixels[x] >> 8)
                row[x &* 3 &+ 2] = UInt8(truncatingIfNeeded: pixels[x])
            }
            return
        }
        for x in 0..<width {
            let pixel = PackedPixel.straight(pixels[x])
            let place = row + x &* 4
            place[0] = UInt8(truncatingIfNeeded: pixel >> 16)
            place[1] = UInt8(truncatingIfNeeded: pixel >> 8)
            place[2] = UInt8(truncatingIfNeeded: pixel)
            place[3] = UInt8(truncatingIfNeeded: pixel >> 24)
        }
    }
}
