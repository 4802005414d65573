import EaselCore

extension PixelBuffer {
    /// The same picture in other colours: in the same memory, where nobody else holds it.
    consuming func converted(
        by conversion: ColorConversion?, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard let conversion else { return self }
        let (size, bytesPerRow) = (size, bytesPerRow)
        return try changed { (bytes) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            try conversion.convert(canvas, isCancelled: isCancelled)
        }
    }
}
