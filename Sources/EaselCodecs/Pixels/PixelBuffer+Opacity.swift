import EaselCore

extension PixelBuffer {
    /// The same pixels, marked opaque if every alpha turns out to be 255. Stops at the first row with one that is not.
    func withOpacityMeasured() -> PixelBuffer {
        isOpaque ? self : PixelBuffer(self, isOpaque: everyAlphaIsFull)
    }

    private var everyAlphaIsFull: Bool {
        withUnsafeBytes { bytes in
            (0..<height).allSatisfy { y in
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<((y + 1) * bytesPerRow)])
                return PixelKernels.best.commonAlpha(row, count: width) == 255
            }
        }
    }
}
