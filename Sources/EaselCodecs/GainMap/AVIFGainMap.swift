#if AVIF
import CAVIF
import EaselCore

/// The gain map of an AVIF (ISO 21496-1), which libavif reads from 1.2 on.
struct AVIFGainMap {
    let parameters: GainMap.Parameters
    private let alternateColors: ColorDescription?

    /// Reads the parameters of a parsed image. Returns `nil` if there is no map, or if it is not usable.
    init?(of image: UnsafePointer<avifImage>) {
        var found = easel_avif_gain_map()
        guard easel_avif_read_gain_map(image, &found) != 0 else { return nil }
        func channels(_ values: (Double, Double, Double)) -> SIMD3<Double> { SIMD3(values.0, values.1, values.2) }
        parameters = GainMap.Parameters(
            minimum: channels(found.minimum), maximum: channels(found.maximum), gamma: channels(found.gamma),
            baseOffset: channels(found.base_offset), alternateOffset: channels(found.alternate_offset),
            baseHeadroom: found.base_headroom, alternateHeadroom: found.alternate_headroom,
            usesBaseColors: found.uses_base_colors != 0)
        guard parameters.isUsable else { return nil }
        let profile = UnsafeBufferPointer(start: found.profile, count: found.profile_size)
        if let profile = ICCProfile(profile, for: .rgb) {
            alternateColors = .profile(profile)
        } else {
            let isKnown = found.primaries != Int32(AVIF_COLOR_PRIMARIES_UNSPECIFIED)
            let points = CodePoints(primaries: Int(found.primaries), transfer: Int(found.transfer))
            alternateColors = isKnown ? .codePoints(points) : nil
        }
    }

    /// Decodes the map with a separate decoder. Returns `nil` if it is damaged, larger than the base image, or beyond the
    /// limits.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - header: the header of the image, before orientation.
    func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ header: ImageHeader, _ options: DecodeOptions
    ) throws(ImageError) -> StoredGainMap? {
        guard let decoder = avifDecoderCreate() else { return nil }
        defer { avifDecoderDestroy(decoder) }
        AVIFFile.configure(decoder, pixelLimit: options.limits.pixels)
        easel_avif_request_gain_map(decoder)
        guard avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count) == AVIF_RESULT_OK,
            avifDecoderParse(decoder) == AVIF_RESULT_OK, let size = Self.imageSize(decoder),
            StoredGainMap.accepts(size, header, options), avifDecoderNextImage(decoder) == AVIF_RESULT_OK,
            // The size of the compressed image can differ from that in the container.
            Self.imageSize(decoder) == size, let map = easel_avif_gain_map_image(decoder.pointee.image)
        else { return nil }
        return try StoredGainMap.ignoringDamage { () throws(ImageError) in
            try options.checkCancellation()
            let pixels = try PixelBuffer.draw(size, isOpaque: true) { (canvas) throws(ImageError) in
                var rows = avifRGBImage()
                avifRGBImageSetDefaults(&rows, map)
                rows.depth = 8
                rows.format = AVIF_RGB_FORMAT_BGRA
                try AVIFFile.convert(map, &rows, to: canvas.bytes, bytesPerRow: canvas.bytesPerRow)
            }
            return StoredGainMap(GainMap(pixels: pixels, parameters: parameters), alternateColors: alternateColors)
        }
    }

    private static func imageSize(_ decoder: UnsafeMutablePointer<avifDecoder>) -> PixelSize? {
        guard let image = decoder.pointee.image, let map = easel_avif_gain_map_image(image) else { return nil }
        return PixelSize(Int(map.pointee.width), Int(map.pointee.height))
    }
}
#endif
