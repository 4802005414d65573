import EaselCore

extension PixelBuffer {
    /// The same pixels, marked opaque if every alpha turns out to be 255. Stops at the first that is not.
    func withOpacityMeasured() -> PixelBuffer {
        isOpaque ? self : PixelBuffer(self, isOpaque: everyAlphaIsFull)
    }

    private var everyAlphaIsFull: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            for y in 0..<height {
                // A row has `width` pixels of four bytes within its `bytesPerRow`, and starts at a multiple of 64.
                let row = start.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt32.self)
                var common: UInt32 = .max
                for x in 0..<width { common &= row[x] }
                if common >> 24 != 255 { return false }
            }
            return true
        }
    }
}
