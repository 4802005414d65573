import EaselCore

/// The coefficients of an image of several scans (ITU-T T.81, annex G).
struct JPEGCoefficients: ~Copyable {
    private struct Plane {
        /// Its first block, and blocks from row to row.
        var start: Int
        var stride: Int
    }

    private let frame: JPEGFrame
    private let planes: [Plane]
    private let blocks: ScratchMemory
    /// Numbers of a block: 64, or 1 for its mean alone.
    private let length: Int
    /// For each block which coefficients are not 0.
    private let filled: ScratchMemory
    /// The bits of each coefficient that are held back; -1 for one that no scan had yet.
    private var known: [Int]
    private var codes: JPEGCodes

    /// - Parameter keepsMeans: whether only means are wanted.
    init(_ frame: JPEGFrame, keepsMeans: Bool) throws(ImageError) {
        var planes: [Plane] = []
        var count = 0
        for index in frame.components.indices {
            let size = frame.storedBlocks(of: index)
            planes.append(Plane(start: count, stride: size.width))
            count += size.width * size.height
        }
        let length = keepsMeans ? 1 : 64
        let blocks = try ScratchMemory(count: count * length * 2, for: frame.size)
        let filled = try ScratchMemory(count: keepsMeans ? 0 : count * 8, for: frame.size)
        blocks.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        filled.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.frame = frame
        self.planes = planes
        self.length = length
        self.blocks = blocks
        self.filled = filled
        known = Array(repeating: -1, count: 64 * frame.components.count)
        codes = JPEGCodes()
    }

    /// Whether every bit of every coefficient is known.
    var isWhole: Bool { known.allSatisfy { $0 == 0 } }

    /// Decodes a scan, and returns where its data ends.
    mutating func read(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ file: Span<UInt8>, isCancelled: () -> Bool
    ) throws(JPEGStop) -> Int {
        // Each bit comes once and in turn. libjpeg has rules for what does not.
        for part in scan.parts {
            for place in scan.places {
                guard known[64 * part.component + place] == (scan.high == 0 ? -1 : scan.high) else { throw .irregular }
                known[64 * part.component + place] = scan.low
            }
        }
        let isWorthPairs = frame.size.width * frame.size.height > JPEGUnitRows.leastForPairs
        for part in scan.parts {
            if scan.places.lowerBound == 0, scan.high == 0 {
                try codes.define(part.meanCodes, markers.codes[part.meanCodes], isWorthPairs: false)
            }
            if scan.places.upperBound > 0 {
                try codes.define(
                    part.codes + 4, markers.codes[part.codes + 4], isWorthPairs: isWorthPairs && scan.high == 0)
            }
        }
        var segment = JPEGSegment(at: scan.offset, restartInterval: markers.restartInterval)
        let isSingle = scan.parts.count == 1
        let units = isSingle ? frame.blocks(of: scan.parts[0].component) : frame.units
        for row in 0..<units.height {
            if isCancelled() { throw .cancelled }
            for part in scan.parts where isSingle {
                try readRow(row, units.width, scan, part, markers.restartInterval, file.bytes, &segment)
            }
            if !isSingle { try readUnits(row, units.width, scan, markers.restartInterval, file.bytes, &segment) }
            guard !segment.bits.isExhausted else { throw .irregular }
        }
        return segment.bits.next
    }

    /// The block in a row and a column of a component's blocks, and what is known of it.
    @inline(__always)
    private func block(_ component: Int, _ row: Int, _ column: Int) -> UnsafeMutablePointer<Int16> {
        let plane = planes[component]
        let number = plane.start &+ row &* plane.stride &+ column
        return blocks.bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Int16.self) + number &* length
    }

    /// A row of units of several components: means, or whole blocks.
    private func readUnits(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGSegment
    ) throws(JPEGStop) {
        for unit in 0..<count {
            guard segment.beginUnit(restartInterval, data) else { throw .irregular }
            for part in scan.parts {
                let component = frame.components[part.component]
                for down in 0..<component.down {
                    for across in 0..<component.across {
                        try readBlock(
                            row &* component.down &+ down, unit &* component.across &+ across, scan, part, data,
                            &segment)
                    }
                }
            }
        }
    }

    /// A row of the blocks of one component.
    private func readRow(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ part: JPEGScan.Part, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGSegment
    ) throws(JPEGStop) {
        if scan.places.lowerBound == 0 {
            for column in 0..<count {
                guard segment.beginUnit(restartInterval, data) else { throw .irregular }
                try readBlock(row, column, scan, part, data, &segment)
            }
            return
        }
        let order = JPEGCodes.order
        let band = JPEGCodes.Band(
            table: part.codes + 4, first: scan.places.lowerBound, end: scan.places.upperBound + 1, low: scan.low,
            isProgressive: true)
        let first = block(part.component, row, 0)
        let marks = marks(part.component, row)
        for column in 0..<count {
            guard segment.beginUnit(restartInterval, data) else { throw .irregular }
            if scan.high > 0 {
                guard
                    codes.refine(
                        band, &segment.bits, data, first + 64 &* column, order: order.span, marking: &marks[column],
                        ended: &segment.ended)
                else { throw .irregular }
            } else if segment.ended > 0 {
                segment.ended &-= 1
            } else {
                guard
                    codes.decode(
                        band, &segment.bits, data, into: first + 64 &* column, order: order.span,
                        marking: &marks[column], ended: &segment.ended) != nil
                else { throw .irregular }
            }
        }
    }

    @inline(__always)
    private func marks(_ component: Int, _ row: Int) -> UnsafeMutablePointer<UInt64> {
        let plane = planes[component]
        return filled.bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt64.self)
            + (plane.start &+ row &* plane.stride)
    }

    /// A block's mean, or, of a file that is not progressive, all of it.
    @inline(__always)
    private func readBlock(
        _ row: Int, _ column: Int, _ scan: JPEGScan, _ part: JPEGScan.Part, _ data: RawSpan,
        _ segment: inout JPEGSegment
    ) throws(JPEGStop) {
        let block = block(part.component, row, column)
        if scan.high > 0 {
            segment.bits.fill(data)
            block[0] |= Int16(truncatingIfNeeded: segment.bits.top(1) << scan.low)
            segment.bits.drop(1)
            return
        }
        guard let difference = codes.takeDifference(&segment.bits, data, table: part.meanCodes),
            let mean = Int16(exactly: Int(segment.means[part.component]) &+ difference)
        else { throw .irregular }
        segment.means[part.component] = Int32(mean)
        block[0] = mean &<< Int16(scan.low)
        guard scan.places.upperBound > 0 else { return }
        let band = JPEGCodes.Band(table: part.codes + 4, isProgressive: true)
        let marks = marks(part.component, row)
        var ended = 0
        guard
            codes.decode(
                band, &segment.bits, data, into: block, order: JPEGCodes.order.span, marking: &marks[column],
                ended: &ended) != nil, ended == 0
        else { throw .irregular }
    }

    /// Draws a row of units.
    func draw(_ row: Int, into planes: borrowing JPEGPlanes, steps: [[Int16]]) {
        for index in frame.components.indices {
            let size = frame.blocks(of: index)
            let down = frame.components[index].down
            for blockRow in (row * down)..<min((row + 1) * down, size.height) {
                guard let target = planes.target(index, blockRow: blockRow) else { continue }
                let first = block(index, blockRow, 0)
                steps[index].withUnsafeBufferPointer { steps in
                    guard let steps = steps.baseAddress else { return }
                    if length == 1 {
                        for column in 0..<size.width { drawMean(first[column], steps, column, target) }
                    } else {
                        drawBlocks(first, marks(index, blockRow), steps, size.width, target)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func drawBlocks(
        _ first: UnsafeMutablePointer<Int16>, _ marks: UnsafePointer<UInt64>, _ steps: UnsafePointer<Int16>,
        _ count: Int, _ target: JPEGPlanes.Target
    ) {
        for column in 0..<count {
            let block = first + 64 &* column
            let rest = marks[column] & ~1
            if rest == 0, target.drawMean(Int(block[0]), column: column) { continue }
            target.draw(block, steps, column: column, isLow: rest < 1 << 10, clears: false)
        }
    }

    @inline(__always)
    private func drawMean(
        _ mean: Int16, _ steps: UnsafePointer<Int16>, _ column: Int, _ target: JPEGPlanes.Target
    ) {
        guard !target.drawMean(Int(mean), column: column) else { return }
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 64) { block in
            block.initialize(repeating: 0)
            block[0] = mean
            guard let start = block.baseAddress else { return }
            target.draw(start, steps, column: column, isLow: true, clears: false)
        }
    }
}
