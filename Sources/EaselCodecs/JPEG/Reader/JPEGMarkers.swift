import EaselCore

/// What the marker segments of a JPEG say, as far as they have been read (ITU-T T.81, annex B).
struct JPEGMarkers {
    /// Where the next marker is looked for.
    var offset = 2
    private(set) var frame: JPEGFrame?
    /// Tables of quantization steps, row by row.
    private(set) var steps: [[Int16]?] = Array(repeating: nil, count: 4)
    /// Four tables of codes for means, and four for other coefficients.
    private(set) var codes: [JPEGCodeLengths?] = Array(repeating: nil, count: 8)
    /// Units between two restarts, 0 for none.
    private(set) var restartInterval = 0
    private var hasJFIF = false
    private var adobeTransform: UInt8?

    /// - Throws: `JPEGStop.irregular` for what is no JPEG.
    init(_ file: Span<UInt8>) throws(JPEGStop) {
        guard file.bigEndian16(at: 0) == 0xFFD8 else { throw .irregular }
    }

    /// What the components mean.
    enum Colors {
        case gray, rgb, ycc, cmyk, ycck
    }

    /// By the rules of libjpeg.
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

    /// Reads up to the data of the next scan; `nil` at the end of the image.
    mutating func readScan(in file: Span<UInt8>) throws(JPEGStop) -> JPEGScan? {
        while true {
            let marker = try readMarker(in: file)
            if marker == 0xD9 { return nil }
            guard let length = file.bigEndian16(at: offset), length >= 2, length <= file.count - offset else {
                throw .irregular
            }
            let segment = file.extracting((offset + 2)..<(offset + length))
            offset += length
            switch marker {
            case 0xC0, 0xC1, 0xC2:
                guard frame == nil else { throw .irregular }
                frame = try JPEGFrame(segment, isProgressive: marker == 0xC2)
            case 0xC4: try readCodes(segment)
            case 0xDB: try readSteps(segment)
            case 0xDD:
                guard segment.count == 2, let interval = segment.bigEndian16(at: 0) else { throw .irregular }
                restartInterval = interval
            case 0xDA:
                guard let frame else { throw .irregular }
                return try JPEGScan(segment, frame, offset: offset)
            case 0xE0: hasJFIF = hasJFIF || (segment.count >= 14 && segment.hasText("JFIF\0", at: 0))
            case 0xEE where segment.count >= 12 && segment.hasText("Adobe", at: 0): adobeTransform = segment[11]
            case 0xE1...0xEF, 0xFE: break
            default: throw .irregular
            }
        }
    }

    /// Returns the next marker. Skips bytes before it.
    private mutating func readMarker(in file: Span<UInt8>) throws(JPEGStop) -> UInt8 {
        while offset + 1 < file.count {
            let (first, second) = (file[offset], file[offset + 1])
            offset += 1
            guard first == 0xFF, second != 0xFF else { continue }
            offset += 1
            if second != 0 { return second }
        }
        throw .irregular
    }

    private mutating func readSteps(_ segment: Span<UInt8>) throws(JPEGStop) {
        var place = 0
        while place < segment.count {
            let (isWide, table) = (segment[place] >> 4, Int(segment[place] & 15))
            place += 1
            let byteCount = isWide == 0 ? 64 : 128
            guard isWide <= 1, table < 4, byteCount <= segment.count - place else { throw .irregular }
            var values = [Int16](repeating: 0, count: 64)
            for index in 0..<64 {
                let value = isWide == 0 ? Int(segment[place + index]) : segment.bigEndian16(at: place + 2 * index) ?? 0
                values[Int(JPEGCodes.order[index])] = Int16(truncatingIfNeeded: value)
            }
            steps[table] = values
            place += byteCount
        }
    }

    private mutating func readCodes(_ segment: Span<UInt8>) throws(JPEGStop) {
        var place = 0
        while place < segment.count {
            guard segment.count - place >= 17, segment[place] & 0xEF < 4 else { throw .irregular }
            let table = Int(segment[place] & 15) + (segment[place] & 16 == 0 ? 0 : 4)
            let counts = (1...16).map { Int(segment[place + $0]) }
            let count = counts.reduce(0, +)
            place += 17
            guard count <= min(256, segment.count - place) else { throw .irregular }
            codes[table] = JPEGCodeLengths(counts: counts, symbols: (place..<(place + count)).map { segment[$0] })
            place += count
        }
    }
}
