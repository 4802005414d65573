import EaselCore

extension DecodeOptions {
    /// Whether deep pixels are asked for and there are any.
    func wantsDeepPixels(of header: ImageHeader) -> Bool {
        depth == .sixteen && header.bitDepth > 8
    }
}

extension DecodedImage {
    /// The picture with pixels of 16 bits a channel beside its own.
    ///
    /// - Parameters:
    ///   - raster: the picture as stored, straight.
    ///   - header: how it is turned upright.
    ///   - colors: what the numbers of `raster` mean.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the machine has no room.
    consuming func withDeepPixels(
        _ raster: borrowing DeepRaster, header: ImageHeader, options: DecodeOptions, colors: ColorDescription
    ) throws(ImageError) -> DecodedImage {
        let conversion = DeepConversion(colors, to: options.colorSpace)
        let deep = try raster.pixels(
            of: header.orientation.upright(size), hasAlpha: !pixels.isOpaque, colors: conversion.colors,
            isCancelled: options.isCancelled, convert: conversion.convert)
        var image = self
        image.deepPixels = try deep.upright(from: header.orientation, isCancelled: options.isCancelled)
        return image
    }
}

extension DeepRaster {
    /// Makes words of fewer bits those of 16, and colours that are multiplied by their alpha straight.
    func finish(bits: Int, isPremultiplied: Bool = false) {
        let largest = UInt32(1) << UInt32(bits) - 1
        for y in 0..<size.height {
            let row = row(y)
            if bits < 16 {
                for place in row.indices {
                    row[place] = UInt16((min(UInt32(row[place]), largest) * 65_535 + largest / 2) / largest)
                }
            }
            guard isPremultiplied else { continue }
            for place in stride(from: 0, to: row.count, by: 4) where row[place + 3] != .max {
                let alpha = UInt32(row[place + 3])
                for channel in place..<(place + 3) {
                    row[channel] =
                        alpha == 0 ? 0 : UInt16(min((UInt32(row[channel]) * 65_535 + alpha / 2) / alpha, 65_535))
                }
            }
        }
    }
}
