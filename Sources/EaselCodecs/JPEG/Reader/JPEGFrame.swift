import EaselCore

/// The reason why the reader stops.
enum JPEGStop: Error {
    /// The file is damaged, or of a kind that only libjpeg decodes.
    case irregular
    /// The file ends before the next scan.
    case incomplete
    case cancelled
}

/// The frame header of a JPEG and the block counts derived from it (ITU-T T.81, A.1 and B.2.2).
struct JPEGFrame {
    struct Component {
        var id: UInt8
        /// The numbers of blocks in a unit, horizontally and vertically: the sampling factors.
        var across: Int
        var down: Int
        /// The number of the quantization table.
        var steps: Int
    }

    let size: PixelSize
    let isProgressive: Bool
    let components: [Component]
    /// The largest numbers of blocks that a component has in a unit.
    let across: Int
    let down: Int

    /// Parses a frame header.
    ///
    /// - Throws: `JPEGStop.irregular` for other than 8 bits, for 2 components, and for a repeated component.
    init(_ segment: Span<UInt8>, isProgressive: Bool) throws(JPEGStop) {
        guard segment.count >= 6, segment[0] == 8, [1, 3, 4].contains(segment[5]),
            segment.count == 6 + 3 * Int(segment[5]), let height = segment.bigEndian16(at: 1),
            let width = segment.bigEndian16(at: 3)
        else { throw .irregular }
        var components: [Component] = []
        for index in stride(from: 6, to: segment.count, by: 3) {
            let (id, sampling) = (segment[index], segment[index + 1])
            components.append(
                Component(id: id, across: Int(sampling >> 4), down: Int(sampling & 15), steps: Int(segment[index + 2])))
        }
        // The unit of a single component is one block, whatever its sampling factors are.
        if components.count == 1, (1...4).contains(components[0].across), (1...4).contains(components[0].down) {
            (components[0].across, components[0].down) = (1, 1)
        }
        guard components.allSatisfy({ [1, 2, 4].contains($0.across) && [1, 2, 4].contains($0.down) && $0.steps < 4 }),
            Set(components.map(\.id)).count == components.count, width > 0, height > 0,
            max(width, height) <= JPEGDecompressor.longestSide
        else { throw .irregular }
        size = PixelSize(width, height)
        self.isProgressive = isProgressive
        self.components = components
        across = components.reduce(1) { max($0, $1.across) }
        down = components.reduce(1) { max($0, $1.down) }
    }

    /// The numbers of units, horizontally and vertically.
    var units: PixelSize {
        PixelSize(Self.divideRoundingUp(size.width, 8 * across), Self.divideRoundingUp(size.height, 8 * down))
    }

    /// Returns the numbers of blocks of a component that contain part of the image: those of a scan of this component
    /// alone.
    func blocks(of index: Int) -> PixelSize {
        let component = components[index]
        return PixelSize(
            Self.divideRoundingUp(size.width * component.across, 8 * across),
            Self.divideRoundingUp(size.height * component.down, 8 * down))
    }

    /// Returns the numbers of blocks of a component in all units.
    func storedBlocks(of index: Int) -> PixelSize {
        PixelSize(units.width * components[index].across, units.height * components[index].down)
    }

    /// Divides and rounds up.
    static func divideRoundingUp(_ dividend: Int, _ divisor: Int) -> Int { (dividend + divisor - 1) / divisor }
}

/// The header of a scan (ITU-T T.81, B.2.3).
struct JPEGScan {
    struct Part {
        /// The index of the component in the frame.
        var component: Int
        var meanCodes: Int
        var codes: Int
    }

    var parts: [Part]
    /// The coefficients in the scan, in zigzag order: the spectral selection.
    var coefficients: ClosedRange<Int>
    /// The numbers of low bits that the previous scan and this scan leave to later scans: the successive approximation.
    var high: Int
    var low: Int
    /// The offset of the data.
    var offset: Int

    /// Whether this scan of a progressive file has the means of all blocks. With more than one low bit left to later
    /// scans, an image of means would be visibly coarse.
    func hasMeans(of frame: JPEGFrame) -> Bool {
        frame.isProgressive && coefficients == 0...0 && high == 0 && low <= 1 && parts.count == frame.components.count
    }

    /// Parses a scan header.
    ///
    /// - Parameter offset: the offset of the data.
    init(_ segment: Span<UInt8>, _ frame: JPEGFrame, offset: Int) throws(JPEGStop) {
        guard segment.count >= 6, (1...4).contains(segment[0]), segment.count == 4 + 2 * Int(segment[0]) else {
            throw .irregular
        }
        parts = []
        for index in stride(from: 1, to: segment.count - 3, by: 2) {
            let id = segment[index]
            let tables = segment[index + 1]
            guard let component = frame.components.firstIndex(where: { $0.id == id }), tables >> 4 < 4,
                tables & 15 < 4, parts.allSatisfy({ $0.component != component })
            else { throw .irregular }
            parts.append(Part(component: component, meanCodes: Int(tables >> 4), codes: Int(tables & 15)))
        }
        let end = segment.count
        let (first, last) = (Int(segment[end - 3]), Int(segment[end - 2]))
        (high, low) = (Int(segment[end - 1] >> 4), Int(segment[end - 1] & 15))
        guard first <= last, last < 64 else { throw .irregular }
        coefficients = first...last
        self.offset = offset
        let blocks = parts.reduce(0) {
            $0 + frame.components[$1.component].across * frame.components[$1.component].down
        }
        guard parts.count == 1 || blocks <= 10 else { throw .irregular }
        if frame.isProgressive {
            // With more than 5 bits left, a coefficient could exceed 16 bits.
            guard high == 0 ? low <= 5 : low == high - 1, first > 0 ? parts.count == 1 : last == 0 else {
                throw .irregular
            }
        } else {
            guard coefficients == 0...63, high == 0, low == 0 else { throw .irregular }
        }
    }
}
