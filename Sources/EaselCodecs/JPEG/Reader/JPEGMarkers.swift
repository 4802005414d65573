import EaselCore

/// The contents of the marker segments of a JPEG that have been read (ITU-T T.81, annex B).
struct JPEGMarkers {
    var segments = JPEGSegments()
    private(set) var frame: JPEGFrame?
    /// The quantization tables in row order.
    private var tables: [[Int16]?] = Array(repeating: nil, count: 4)
    /// The quantization steps of each component, as of its first scan. Empty before.
    private(set) var steps: [[Int16]] = []
    /// Four Huffman tables for means and four for other coefficients.
    private(set) var codes: [JPEGCodeLengths?] = Array(repeating: nil, count: 8)
    /// The number of units between two restarts, or 0 for none.
    private(set) var restartInterval = 0
    private var hasJFIF = false
    private var adobeTransform: UInt8?

    /// Checks the signature.
    ///
    /// - Throws: `JPEGStop.irregular` for data that is not a JPEG.
    init(_ file: Span<UInt8>) throws(JPEGStop) {
        guard file.bigEndian16(at: 0) == 0xFFD8 else { throw .irregular }
    }

    /// The color models of the components.
    enum Colors {
        case gray, rgb, ycc, cmyk, ycck
    }

    /// The color model, determined as libjpeg does.
    var colors: Colors {
        let ids = frame?.components.map(\.id) ?? []
        switch ids.count {
        case 1: return .gray
        case 4: return adobeTransform.map { $0 == 0 ? .cmyk : .ycck } ?? .cmyk
        default:
            if hasJFIF { return .ycc }
            if let adobeTransform { return adobeTransform == 0 ? .rgb : .ycc }
            return ids == [0x52, 0x47, 0x42] ? .rgb : .ycc
        }
    }

    /// Reads up to the data of the next scan. Returns `nil` at the end of the image.
    ///
    /// - Throws: `JPEGStop.incomplete` if the file ends before. Segments that were read are not read again.
    mutating func readScan(in file: Span<UInt8>) throws(JPEGStop) -> JPEGScan? {
        while let next = try segments.next(in: file) {
            let segment = file.extracting(next.content)
            switch next.marker {
            case 0xC0, 0xC1, 0xC2:
                guard frame == nil else { throw .irregular }
                frame = try JPEGFrame(segment, isProgressive: next.marker == 0xC2)
                steps = Array(repeating: [], count: frame?.components.count ?? 0)
            case 0xC4: try readCodes(segment)
            case 0xDB: try readSteps(segment)
            case 0xDD:
                guard segment.count == 2, let interval = segment.bigEndian16(at: 0) else { throw .irregular }
                restartInterval = interval
            case JPEGSegments.startOfScan:
                guard let frame else { throw .irregular }
                let scan = try JPEGScan(segment, frame, offset: next.content.upperBound)
                try recordSteps(scan, frame)
                return scan
            case 0xE0: hasJFIF = hasJFIF || (segment.count >= 14 && segment.hasText("JFIF\0", at: 0))
            case 0xEE where segment.count >= 12 && segment.hasText("Adobe", at: 0): adobeTransform = segment[11]
            case 0xE1...0xEF, 0xFE: break
            default: throw .irregular
            }
        }
        return nil
    }

    private mutating func recordSteps(_ scan: JPEGScan, _ frame: JPEGFrame) throws(JPEGStop) {
        for part in scan.parts where steps[part.component].isEmpty {
            guard let table = tables[frame.components[part.component].steps] else { throw .irregular }
            steps[part.component] = table
        }
    }

    private mutating func readSteps(_ segment: Span<UInt8>) throws(JPEGStop) {
        var position = 0
        for _ in tables.indices where position < segment.count {
            let (isWide, table) = (segment[position] >> 4, Int(segment[position] & 15))
            position += 1
            let byteCount = isWide == 0 ? 64 : 128
            guard isWide <= 1, table < 4, byteCount <= segment.count - position else { throw .irregular }
            var values = [Int16](repeating: 0, count: 64)
            for index in 0..<64 {
                let value =
                    isWide == 0 ? Int(segment[position + index]) : segment.bigEndian16(at: position + 2 * index) ?? 0
                values[Int(JPEGCodes.order[index])] = Int16(truncatingIfNeeded: value)
            }
            tables[table] = values
            position += byteCount
        }
        guard position == segment.count else { throw .irregular }
    }

    private mutating func readCodes(_ segment: Span<UInt8>) throws(JPEGStop) {
        var position = 0
        for _ in codes.indices where position < segment.count {
            guard segment.count - position >= 17, segment[position] & 0xEF < 4 else { throw .irregular }
            let table = Int(segment[position] & 15) + (segment[position] & 16 == 0 ? 0 : 4)
            let counts = (1...16).map { Int(segment[position + $0]) }
            let count = counts.reduce(0, +)
            position += 17
            guard count <= min(256, segment.count - position) else { throw .irregular }
            codes[table] = JPEGCodeLengths(counts: counts, symbols: (position..<(position + count)).map { segment[$0] })
            position += count
        }
        guard position == segment.count else { throw .irregular }
    }
}
