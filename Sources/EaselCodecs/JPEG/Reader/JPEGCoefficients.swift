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
    /// The mean of each block, apart from the rest: some scans have nothing else, and many blocks.
    private let means: ScratchMemory
    /// 64 coefficients of each block. Those of a block are undefined while none is marked.
    private let blocks: ScratchMemory
    /// For each block which coefficients are not 0.
    private let marks: ScratchMemory
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
        let means = try ScratchMemory(count: count * 2, for: frame.size)
        let blocks = try ScratchMemory(count: keepsMeans ? 0 : count * 128, for: frame.size)
        let marks = try ScratchMemory(count: keepsMeans ? 0 : count * 8, for: frame.size)
        means.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        marks.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.frame = frame
        self.planes = planes
        self.means = means
        self.blocks = blocks
        self.marks = marks
        codes = JPEGCodes()
        known = Array(repeating: -1, count: 64 * frame.components.count)
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
            if scan.places.lowerBound > 0 {
                try readBands(row, units.width, scan, markers.restartInterval, file.bytes, &segment)
            } else {
                try readMeans(row, units.width, scan, markers.restartInterval, file.bytes, &segment)
            }
            guard !segment.bits.isExhausted else { throw .irregular }
        }
        return segment.bits.next
    }

    /// The number of the block in a row and a column of a component's blocks.
    @inline(__always)
    private func number(_ component: Int, _ row: Int, _ column: Int) -> Int {
        planes[component].start &+ row &* planes[component].stride &+ column
    }

    /// A row of units with the means of one component or several, or, of a file that is not progressive, with whole blocks.
    private func readMeans(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGSegment
    ) throws(JPEGStop) {
        guard let means = means.bytes.baseAddress?.assumingMemoryBound(to: Int16.self) else { throw .irregular }
        let symbols = codes.symbols.span
        var bits = segment.bits
        for unit in 0..<count {
            guard segment.beginUnit(restartInterval, &bits, data) != nil else { throw .irregular }
            for part in scan.parts {
                let component = frame.components[part.component]
                let isSingle = scan.parts.count == 1
                let (across, down) = isSingle ? (1, 1) : (component.across, component.down)
                for place in 0..<(across &* down) {
                    let number = number(
                        part.component, row &* down &+ place / across, unit &* across &+ place % across)
                    if scan.high > 0 {
                        bits.fill(data)
                        means[number] |= Int16(truncatingIfNeeded: bits.top(1) &<< scan.low)
                        bits.drop(1)
                        continue
                    }
                    guard let difference = codes.takeDifference(&bits, data, table: part.meanCodes, symbols),
                        let mean = Int16(exactly: Int(segment.means[part.component]) &+ difference)
                    else { throw .irregular }
                    segment.means[part.component] = Int32(mean)
                    means[number] = mean &<< Int16(scan.low)
                    if scan.places.upperBound > 0 { try readRest(number, part, data, &bits) }
                }
            }
        }
        segment.bits = bits
    }

    /// All of a block but its mean.
    private func readRest(
        _ number: Int, _ part: JPEGScan.Part, _ data: RawSpan, _ bits: inout JPEGBits
    ) throws(JPEGStop) {
        guard let block = block(number), let marks = marks(number) else { throw .irregular }
        block.update(repeating: 0, count: 64)
        var ended = 0
        let order = JPEGCodes.order
        let end = codes.decode(
            JPEGCodes.Band(table: part.codes + 4, isProgressive: true), &bits, data, codes.pairs.span,
            codes.symbols.span, order.span, into: block, marking: &marks.pointee, ended: &ended)
        guard end != nil, ended == 0 else { throw .irregular }
    }

    /// A row of bands of the blocks of one component.
    private func readBands(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGSegment
    ) throws(JPEGStop) {
        let part = scan.parts[0]
        let number = number(part.component, row, 0)
        guard let blocks = block(number), let marks = marks(number) else { throw .irregular }
        let orderArray = JPEGCodes.order
        let order = orderArray.span
        let pairs = codes.pairs.span
        let symbols = codes.symbols.span
        let band = JPEGCodes.Band(
            table: part.codes + 4, first: scan.places.lowerBound, end: scan.places.upperBound + 1, low: scan.low,
            isProgressive: true)
        var bits = segment.bits
        for column in 0..<count {
            guard segment.beginUnit(restartInterval, &bits, data) != nil else { throw .irregular }
            if segment.ended > 0, scan.high == 0 || marks[column] == 0 {
                segment.ended &-= 1
                continue
            }
            let block = blocks + 64 &* column
            var filled = marks[column]
            if filled == 0 { block.update(repeating: 0, count: 64) }
            if scan.high > 0 {
                guard codes.refine(band, &bits, data, symbols, order, block, marking: &filled, ended: &segment.ended)
                else { throw .irregular }
            } else {
                let end = codes.decode(
                    band, &bits, data, pairs, symbols, order, into: block, marking: &filled, ended: &segment.ended)
                guard end != nil else { throw .irregular }
            }
            marks[column] = filled
        }
        segment.bits = bits
    }

    private func block(_ number: Int) -> UnsafeMutablePointer<Int16>? {
        blocks.bytes.baseAddress.map { $0.assumingMemoryBound(to: Int16.self) + number * 64 }
    }

    private func marks(_ number: Int) -> UnsafeMutablePointer<UInt64>? {
        marks.bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt64.self) + number }
    }

    /// Draws a row of units.
    func draw(_ row: Int, into planes: borrowing JPEGPlanes) {
        guard let means = means.bytes.baseAddress?.assumingMemoryBound(to: Int16.self) else { return }
        for index in frame.components.indices {
            let size = frame.blocks(of: index)
            let down = frame.components[index].down
            for blockRow in (row * down)..<min((row + 1) * down, size.height) {
                guard let target = planes.target(index, blockRow: blockRow) else { continue }
                let number = number(index, blockRow, 0)
                if marks.count == 0 {
                    for column in 0..<size.width { draw(means[number + column], in: column, target) }
                } else if let blocks = block(number), let marks = marks(number) {
                    draw(means + number, blocks, marks, size.width, target)
                }
            }
        }
    }

    private func draw(
        _ means: UnsafePointer<Int16>, _ blocks: UnsafeMutablePointer<Int16>, _ marks: UnsafePointer<UInt64>,
        _ count: Int, _ target: JPEGPlanes.Target
    ) {
        for column in 0..<count {
            if marks[column] == 0 {
                draw(means[column], in: column, target)
            } else {
                let block = blocks + 64 &* column
                block[0] = means[column]
                target.draw(block, column: column, isLow: marks[column] < 1 << 10, clears: false)
            }
        }
    }

    /// Draws a block that has no coefficients but its mean.
    @inline(__always)
    private func draw(_ mean: Int16, in column: Int, _ target: JPEGPlanes.Target) {
        guard !target.drawMean(Int(mean), column: column) else { return }
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 64) { block in
            block.initialize(repeating: 0)
            block[0] = mean
            guard let start = block.baseAddress else { return }
            target.draw(start, column: column, isLow: true, clears: false)
        }
    }
}
