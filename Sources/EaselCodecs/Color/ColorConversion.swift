import EaselCore

/// Turns the pixels of one file's colours into those of a `ColorSpace`. Built once a profile, and kept for the next file.
struct ColorConversion: Sendable {
    /// The conversion, or `nil` where there is nothing to do: the colours are those already, nearly so, or the profile
    /// cannot be used. Takes microseconds for a profile that was met before, and up to some milliseconds for a new one.
    static func from(_ colors: ColorDescription, to space: ColorSpace) -> ColorConversion? {
        nil
    }

    /// Converts premultiplied 8-bit pixels where they are.
    func convert(_ canvas: Canvas, isOpaque: Bool, isCancelled: () -> Bool) throws(ImageError) {
    }

    /// Converts 16-bit samples to premultiplied 8-bit pixels: for files of more than 8 bits, HDR above all.
    ///
    /// - Parameters:
    ///   - samples: `count` times R, G, B, A, not premultiplied, each from 0 to 65,535.
    ///   - pixels: room for `count` pixels.
    func convertWide(_ samples: UnsafePointer<UInt16>, count: Int, into pixels: UnsafeMutablePointer<UInt32>) {
    }
}
