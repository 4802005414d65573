import EaselCore

/// The gain map in a JPEG: another JPEG after the base image, with the parameters in its metadata.
///
/// It is found by the index of a multi-picture file (CIPA DC-X007), or by the directory of Google's container format.
/// Reads only segments before the image data.
struct JPEGGainMap {
    /// The map's JPEG in the file.
    let range: Range<Int>
    let parameters: GainMap.Parameters
    /// The headroom of a map in Apple's encoding; `nil` for others.
    let appleHeadroom: Double?

    /// More images than any camera writes.
    private static let imageLimit = 16

    /// Finds the first usable gain map of a file. Returns `nil` if there is none.
    ///
    /// - Parameter base: the metadata of the base image.
    init?(in file: Span<UInt8>, _ base: JPEGMetadata) {
        var candidates: [Range<Int>] = []
        if let index = base.pictures {
            candidates = Self.imageRanges(index, in: file)
        } else if let xmp = base.xmp {
            candidates = Self.containedMap(file.extracting(xmp), fileSize: file.count).map { [$0] } ?? []
        }
        for range in candidates where file.bigEndian16(at: range.lowerBound) == 0xFFD8 {
            let map = file.extracting(range)
            guard let metadata = try? JPEGMetadata(map) else { continue }
            var (parameters, appleHeadroom): (GainMap.Parameters?, Double?)
            if let iso = metadata.gainMap {
                parameters = GainMap.Parameters(iso: map.extracting(iso))
            }
            if parameters == nil, let xmp = metadata.xmp {
                let text = map.extracting(xmp)
                parameters = GainMap.Parameters(ultraHDR: text)
                if parameters == nil, text.firstOffset(of: AppleGainMap.type, in: 0..<text.count) != nil {
                    let exif = base.exif.flatMap { AppleGainMap.headroom(exif: file.extracting($0)) }
                    appleHeadroom = XMPNumbers.number("HDRGainMap:HDRGainMapHeadroom", in: text) ?? exif
                    parameters = appleHeadroom.flatMap(GainMap.Parameters.init(appleHeadroom:))
                }
            }
            if let parameters {
                (self.range, self.parameters, self.appleHeadroom) = (range, parameters, appleHeadroom)
                return
            }
        }
        return nil
    }

    /// Returns the images after the first one in the index of a multi-picture file.
    private static func imageRanges(_ index: Range<Int>, in file: Span<UInt8>) -> [Range<Int>] {
        let tiff = file.extracting(index)
        guard let entry = EXIF.entry(0xB002, in: tiff), let entries = entry.content(in: tiff) else { return [] }
        func number(_ offset: Int) -> Int? {
            entry.isLittleEndian ? tiff.littleEndian32(at: offset) : tiff.bigEndian32(at: offset)
        }
        return (1..<imageLimit).compactMap { image in
            let offset = entries.lowerBound + image * 16
            guard offset + 16 <= entries.upperBound, let size = number(offset + 4), let start = number(offset + 8),
                start > 0, size > 0, size <= file.count - index.lowerBound - start
            else { return nil }
            return (index.lowerBound + start)..<(index.lowerBound + start + size)
        }
    }

    /// Returns the gain map of a container. Its directory lists the files after the base image in order, so that the
    /// lengths from the map on give its offset from the end.
    private static func containedMap(_ xmp: Span<UInt8>, fileSize: Int) -> Range<Int>? {
        var (mapLength, laterLength): (Int?, Int) = (nil, 0)
        var start = 0
        for _ in 0..<imageLimit {
            guard let item = xmp.firstOffset(of: "Container:Item", in: start..<xmp.count),
                let end = xmp.firstOffset(of: ">", in: item..<xmp.count)
            else { break }
            start = end
            let attributes = xmp.extracting(item..<end)
            let length = XMPNumbers.number("Item:Length", in: attributes).flatMap(Int.init(exactly:)) ?? 0
            guard length >= 0, length <= fileSize - laterLength else { return nil }
            if let semantic = XMPNumbers.value(of: "Item:Semantic", in: attributes), semantic.count == 7,
                attributes.hasText("GainMap", at: semantic.lowerBound), mapLength == nil
            {
                mapLength = length
            } else if mapLength != nil {
                laterLength += length
            }
        }
        guard let mapLength, mapLength > 0, mapLength < fileSize - laterLength else { return nil }
        let upper = fileSize - laterLength
        return (upper - mapLength)..<upper
    }

    /// Decodes the map, not turned upright. Returns `nil` if it is damaged, larger than the base image, or beyond the
    /// limits.
    ///
    /// - Throws: `ImageError.cancelled`
    func decode(
        _ file: UnsafeBufferPointer<UInt8>, _ header: ImageHeader, _ options: DecodeOptions
    ) throws(ImageError) -> StoredGainMap? {
        let bytes = UnsafeBufferPointer(rebasing: file[range])
        return try StoredGainMap.ignoringDamage { () throws(ImageError) in
            let map = try JPEGFile(bytes)
            guard StoredGainMap.accepts(map.size, header, options), !map.isCMYK else { return nil }
            let scale = JPEGScale(from: map.size, to: map.size, hasMeanScan: false)
            var (pixels, damage) = try map.pixels(scale, nil, isCancelled: options.isCancelled)
            guard damage == nil else { return nil }
            if let appleHeadroom { pixels = try AppleGainMap.convert(pixels, headroom: appleHeadroom) }
            let colors = map.colors()
            return StoredGainMap(
                GainMap(pixels: pixels, parameters: parameters), alternateColors: colors == .sRGB ? nil : colors)
        }
    }
}
