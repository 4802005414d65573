#if HEIF
import EaselCore

/// The header of the common kind of HEIF, read from its boxes: a primary picture of HEVC, whole or in tiles, turned and cropped or
/// not. libheif, which reads all of them, reads a profile byte by byte, and every tile's properties.
enum HEIFQuickHeader {
    /// `nil` for any other kind, and for what libheif should have a look at.
    static func read(_ file: Span<UInt8>) -> ImageHeader? {
        guard file.withUnsafeBytes(ImageFormat.heic.matches), let meta = file.firstBox("meta", in: 0..<file.count),
            meta.count > 4, let items = HEIFItems(file, in: (meta.lowerBound + 4)..<meta.upperBound)
        else { return nil }
        return items.header(file)
    }
}

extension HEIFItems {
    /// That of the primary picture.
    fileprivate func header(_ file: Span<UInt8>) -> ImageHeader? {
        guard let item = items[primary], let coded = coded(primary), let depth = bitDepth(of: coded, file),
            let hasAlpha = hasAlpha(file)
        else { return nil }
        var used: [Property] = []
        for number in item.properties {
            guard let property = property(number) else { return nil }
            used.append(property)
        }
        guard storedSize(of: item, file) != nil else { return nil }
        var header = ImageHeader(format: .heic, storedSize: PixelSize(0, 0), hasAlpha: hasAlpha, bitDepth: depth)
        var hasProfile = false
        for property in used {
            let content = property.content
            switch property.kind {
            case .ispe:
                guard let size = size(in: content, file) else { return nil }
                header.storedSize = size
            case .irot:
                // One that stands before the size has no say in it, for libheif.
                guard content.count == 1 else { return nil }
                if file[content.lowerBound] & 1 == 1 { header.storedSize = header.storedSize.transposed }
            case .colr:
                guard content.count > 4 else { return nil }
                if file.holds("nclx", at: content.lowerBound) { continue }
                guard !hasProfile,
                    file.holds("prof", at: content.lowerBound) || file.holds("rICC", at: content.lowerBound)
                else { return nil }
                hasProfile = true
                header.profileName = ICCProfileName.read(
                    from: file.extracting((content.lowerBound + 4)..<content.upperBound))
            case .clap:
                let stored = header.storedSize
                guard content.count == 32, let width = Self.cropped(stored.width, file, at: content.lowerBound),
                    let height = Self.cropped(stored.height, file, at: content.lowerBound + 8)
                else { return nil }
                header.storedSize = PixelSize(width, height)
            case .hvcC, .pixi, .imir, .pasp: continue
            default: return nil
            }
        }
        // One without a profile may have that of its tiles.
        let hasOther = item.kind == .grid && coded.properties.contains { property($0)?.kind == .colr }
        return hasProfile || !hasOther ? header : nil
    }

    /// Beyond these libheif says what is allowed.
    private static let longestSide = 1 << 15

    private func storedSize(of item: Item?, _ file: Span<UInt8>) -> PixelSize? {
        let sizes = item?.properties.compactMap(property).filter { $0.kind == .ispe } ?? []
        return sizes.count == 1 ? size(in: sizes[0].content, file) : nil
    }

    private func size(in content: Range<Int>, _ file: Span<UInt8>) -> PixelSize? {
        guard content.count == 12, let width = file.bigEndian32(at: content.lowerBound + 4),
            let height = file.bigEndian32(at: content.lowerBound + 8), (1...Self.longestSide).contains(width),
            (1...Self.longestSide).contains(height)
        else { return nil }
        return PixelSize(width, height)
    }

    /// What is left of a side. How long, and how far its middle is off, are fractions, which mostly are whole numbers or halves.
    private static func cropped(_ side: Int, _ file: Span<UInt8>, at place: Int) -> Int? {
        guard let length = file.bigEndian32(at: place), file.bigEndian32(at: place + 4) == 1,
            let number = file.bigEndian32(at: place + 16), let unit = file.bigEndian32(at: place + 20),
            length > 0, length <= side, (1...2).contains(unit)
        else { return nil }
        let offset = Int(Int32(truncatingIfNeeded: number))
        // Of what is left a whole number of pixels stands before it, and it ends inside.
        let (first, rest) = (2 * offset + (side - length) * unit).quotientAndRemainder(dividingBy: 2 * unit)
        return rest == 0 && first >= 0 && first + length <= side ? length : nil
    }

    /// That of brightness, which stands in the eighteenth byte of the configuration (ISO/IEC 14496-15, 8.3.3).
    private func bitDepth(of item: Item, _ file: Span<UInt8>) -> Int? {
        let configurations = item.properties.compactMap(property).filter { $0.kind == .hvcC }
        guard configurations.count == 1, configurations[0].content.count > 22 else { return nil }
        return Int(file[configurations[0].content.lowerBound + 17] & 7) + 8
    }

    /// Whether another picture says that it is the primary one's alpha; `nil` where one says something else of itself, or of
    /// another one.
    private func hasAlpha(_ file: Span<UInt8>) -> Bool? {
        var hasAlpha = false
        for (number, item) in items {
            let kinds = item.properties.compactMap(property).filter { $0.kind == .auxC }
            guard let kind = kinds.first else { continue }
            let names: [StaticString] = [
                "urn:mpeg:avc:2015:auxid:1\0", "urn:mpeg:hevc:2015:auxid:1\0",
                "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
            ]
            guard !hasAlpha, kinds.count == 1, let coded = coded(number), bitDepth(of: coded, file) != nil,
                names.contains(where: { file.holds($0, at: kind.content.lowerBound + 4) }),
                references.contains(where: { $0.kind == .auxl && $0.from == number && $0.to == [primary] }),
                // libheif passes over one of another shape.
                storedSize(of: item, file) == storedSize(of: items[primary], file)
            else { return nil }
            hasAlpha = true
        }
        return hasAlpha || !references.contains { $0.kind == .auxl } ? hasAlpha : nil
    }
}
#endif
