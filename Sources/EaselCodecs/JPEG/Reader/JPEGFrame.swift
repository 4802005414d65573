import EaselCore

/// Why the reader stops.
enum JPEGStop: Error {
    /// The file is damaged, or of a kind that libjpeg decodes.
    case irregular
    case cancelled
}

/// The frame header of a JPEG, and the numbers of blocks that follow from it (ITU-T T.81, A.1 and B.2.2).
struct JPEGFrame {
    struct Component {
        var id: UInt8
        /// Blocks in a unit, across and down.
        var across: Int
        var down: Int
        /// The number of its table of quantization steps.
        var steps: Int
    }

    let size: PixelSize
    let isProgressive: Bool
    let components: [Component]
    /// The most blocks that a component has in a unit.
    let across: Int
    let down: Int

    /// - Throws: `JPEGStop.irregular` for other than 8 bits, 2 components or a component that is there twice.
    init(_ segment: Span<UInt8>, isProgressive: Bool) throws(JPEGStop) {
        guard segment.count >= 6, segment[0] == 8, [1, 3, 4].contains(segment[5]),
            segment.count == 6 + 3 * Int(segment[5]), let height = segment.bigEndian16(at: 1),
            let width = segment.bigEndian16(at: 3)
        else { throw .irregular }
        var components: [Component] = []
        for place in stride(from: 6, to: segment.count, by: 3) {
            let (id, sampling) = (segment[place], segment[place + 1])
            components.append(
                Component(id: id, across: Int(sampling >> 4), down: Int(sampling & 15), steps: Int(segment[place + 2])))
        }
        // The only component's unit is a block, whatever it says.
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

    /// Units across and down.
    var units: PixelSize {
        PixelSize(Self.quotient(size.width, 8 * across), Self.quotient(size.height, 8 * down))
    }

    /// The blocks of a component that hold part of the image, which are those of a scan of it alone.
    func blocks(of index: Int) -> PixelSize {
        let component = components[index]
        return PixelSize(
            Self.quotient(size.width * component.across, 8 * across),
            Self.quotient(size.height * component.down, 8 * down))
    }

    /// The blocks of a component in all units.
    func storedBlocks(of index: Int) -> PixelSize {
        PixelSize(units.width * components[index].across, units.height * components[index].down)
    }

    /// Rounded up.
    static func quotient(_ dividend: Int, _ divisor: Int) -> Int { (dividend + divisor - 1) / divisor }
}

/// One scan's header: what its data holds (ITU-T T.81, B.2.3).
struct JPEGScan {
    struct Part {
        /// The component's place in the frame.
        var component: Int
        var meanCodes: Int
        var codes: Int
    }

    var parts: [Part]
    /// The places of the coefficients in the order of the file.
    var places: ClosedRange<Int>
    /// The bits that the scans before held back, 0 for the first one, and those that this one does.
    var high: Int
    var low: Int
    /// Where the data begins.
    var offset: Int

    /// - Parameter offset: where the data begins.
    init(_ segment: Span<UInt8>, _ frame: JPEGFrame, offset: Int) throws(JPEGStop) {
        guard segment.count >= 6, (1...4).contains(segment[0]), segment.count == 4 + 2 * Int(segment[0]) else {
            throw .irregular
        }
        parts = []
        for place in stride(from: 1, to: segment.count - 3, by: 2) {
            let id = segment[place]
            let tables = segment[place + 1]
            guard let component = frame.components.firstIndex(where: { $0.id == id }), tables >> 4 < 4,
                tables & 15 < 4, parts.allSatisfy({ $0.component != component })
            else { throw .irregular }
            parts.append(Part(component: component, meanCodes: Int(tables >> 4), codes: Int(tables & 15)))
        }
        let end = segment.count
        let (first, last) = (Int(segment[end - 3]), Int(segment[end - 2]))
        (high, low) = (Int(segment[end - 1] >> 4), Int(segment[end - 1] & 15))
        guard first <= last, last < 64 else { throw .irregular }
        places = first...last
        self.offset = offset
        let blocks = parts.reduce(0) {
            $0 + frame.components[$1.component].across * frame.components[$1.component].down
        }
        guard parts.count == 1 || blocks <= 10 else { throw .irregular }
        if frame.isProgressive {
            // With more bits held back, a coefficient could exceed 16.
            guard high == 0 ? low <= 5 : low == high - 1, first > 0 ? parts.count == 1 : last == 0 else {
                throw .irregular
            }
        } else {
            guard places == 0...63, high == 0, low == 0 else { throw .irregular }
        }
    }
}
