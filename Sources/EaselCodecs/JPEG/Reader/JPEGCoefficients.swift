import EaselCore

/// The coefficients of an image of several scans (ITU-T T.81, annex G).
struct JPEGCoefficients: ~Copyable {
    private struct Plane {
        /// The number of the first block, and the number of blocks per row.
        var start: Int
        var stride: Int
    }

    private let frame: JPEGFrame
    private let planes: [Plane]
    /// The mean of each block. Separate from the other coefficients because some scans have only means.
    private let means: ScratchMemory
    /// The 64 coefficients of each block, undefined for a block without marks.
    private let blocks: ScratchMemory
    /// A bit mask for each block of the coefficients that are not 0.
    private let marks: ScratchMemory
    /// The number of low bits of each coefficient that are not decoded yet, or -1 before its first scan.
    private var missingBits: [Int]
    private var codes: JPEGCodes

    /// Allocates the coefficients of an image.
    ///
    /// - Parameter keepsMeans: whether only means are decoded.
    init(_ frame: JPEGFrame, keepsMeans: Bool) throws(JPEGStop) {
        var planes: [Plane] = []
        var count = 0
        for index in frame.components.indices {
            let size = frame.storedBlocks(of: index)
            planes.append(Plane(start: count, stride: size.width))
            count += size.width * size.height
        }
        guard let means = try? ScratchMemory(count: count * 2, for: frame.size),
            let blocks = try? ScratchMemory(count: keepsMeans ? 0 : count * 128, for: frame.size),
            let marks = try? ScratchMemory(count: keepsMeans ? 0 : count * 8, for: frame.size)
        else { throw .irregular }
        means.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        marks.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.frame = frame
        self.planes = planes
        self.means = means
        self.blocks = blocks
        self.marks = marks
        codes = JPEGCodes()
        missingBits = Array(repeating: -1, count: 64 * frame.components.count)
    }

    /// Whether a scan of each component is decoded.
    var hasAllComponents: Bool { frame.components.indices.allSatisfy { missingBits[64 * $0] >= 0 } }

    /// Whether all bits of all coefficients are decoded.
    var isWhole: Bool { missingBits.allSatisfy { $0 == 0 } }

    /// The limit of the sum of squared luminance steps whose last bits may be missing. It is that of quality 75 at half
    /// the size, at which images without those bits have a structural similarity of at least 0.99 to those with them.
    private static let maximumSquaredSteps = 1250

    /// Returns whether every coefficient that the reduced transforms use is decoded except for its last bit, and the
    /// missing bits change little.
    func areSufficient(_ geometry: JPEGGeometry, _ steps: [[Int16]]) -> Bool {
        for (component, values) in steps.enumerated() {
            let side = geometry.components[component].side
            var squaredSteps = 0
            for position in 0..<64 {
                let index = Int(JPEGCodes.order[position])
                // The transforms ignore coefficients beyond their own size, or give them little weight.
                if index / 8 >= side || index % 8 >= side { continue }
                let missing = missingBits[64 * component + position]
                guard missing == 0 || missing == 1, !values.isEmpty else { return false }
                if missing == 1 { squaredSteps += Int(values[index]) * Int(values[index]) }
            }
            if component == 0, squaredSteps > Self.maximumSquaredSteps { return false }
        }
        return true
    }

    /// Decodes a scan, and returns where its data ends.
    mutating func read(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ file: Span<UInt8>, isCancelled: () -> Bool
    ) throws(JPEGStop) -> Int {
        // Each bit must be sent once and in order. libjpeg handles other files.
        for part in scan.parts {
            for position in scan.coefficients {
                guard missingBits[64 * part.component + position] == (scan.high == 0 ? -1 : scan.high) else {
                    throw .irregular
                }
                missingBits[64 * part.component + position] = scan.low
            }
        }
        let usesPairs = frame.size.width * frame.size.height > JPEGUnitRows.minimumPixelsForPairs
        for part in scan.parts {
            if scan.coefficients.lowerBound == 0, scan.high == 0 {
                try codes.define(part.meanCodes, markers.codes[part.meanCodes], usesPairs: false)
            }
            if scan.coefficients.upperBound > 0 {
                try codes.define(
                    part.codes + 4, markers.codes[part.codes + 4], usesPairs: usesPairs && scan.high == 0)
            }
        }
        var segment = JPEGScanState(at: scan.offset, restartInterval: markers.restartInterval)
        let units = scan.parts.count == 1 ? frame.blocks(of: scan.parts[0].component) : frame.units
        for row in 0..<units.height {
            if isCancelled() { throw .cancelled }
            if scan.coefficients.lowerBound > 0 {
                try readBands(row, units.width, scan, markers.restartInterval, file.bytes, &segment)
            } else {
                try readMeans(row, units.width, scan, markers.restartInterval, file.bytes, &segment)
            }
            guard !segment.bits.isExhausted else { throw .irregular }
        }
        return segment.bits.next
    }

    /// Returns the number of the block at a row and column of a component.
    @inline(__always)
    private func number(_ component: Int, _ row: Int, _ column: Int) -> Int {
        planes[component].start &+ row &* planes[component].stride &+ column
    }

    /// Reads a row of units with the means of one or several components or, in a sequential file, with whole blocks.
    private func readMeans(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGScanState
    ) throws(JPEGStop) {
        guard let means = means.bytes.baseAddress?.assumingMemoryBound(to: Int16.self) else { throw .irregular }
        let symbols = codes.symbols.span
        var bits = segment.bits
        for unit in 0..<count {
            guard segment.beginUnit(restartInterval, &bits, data) != nil else { throw .irregular }
            for part in scan.parts {
                let component = frame.components[part.component]
                let (across, down) = scan.parts.count == 1 ? (1, 1) : (component.across, component.down)
                for index in 0..<(across &* down) {
                    let number = number(
                        part.component, row &* down &+ index / across, unit &* across &+ index % across)
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
                    if scan.coefficients.upperBound > 0 { try readRest(number, part, data, &bits) }
                }
            }
        }
        segment.bits = bits
    }

    /// Reads the coefficients of a block after its mean.
    private func readRest(
        _ number: Int, _ part: JPEGScan.Part, _ data: RawSpan, _ bits: inout JPEGBits
    ) throws(JPEGStop) {
        guard let block = block(number), let marks = marks(number) else { throw .irregular }
        block.update(repeating: 0, count: 64)
        var endOfBandRun = 0
        let order = JPEGCodes.order
        let end = codes.decode(
            JPEGCodes.Band(table: part.codes + 4, isProgressive: true), &bits, data, codes.pairs.span,
            codes.symbols.span, order.span, into: block, marking: &marks.pointee, endOfBandRun: &endOfBandRun)
        guard end != nil, endOfBandRun == 0 else { throw .irregular }
    }

    /// Reads a band of each block in a row of one component.
    private func readBands(
        _ row: Int, _ count: Int, _ scan: JPEGScan, _ restartInterval: Int, _ data: RawSpan,
        _ segment: inout JPEGScanState
    ) throws(JPEGStop) {
        let part = scan.parts[0]
        let number = number(part.component, row, 0)
        guard let blocks = block(number), let marks = marks(number) else { throw .irregular }
        let orderArray = JPEGCodes.order
        let order = orderArray.span
        let pairs = codes.pairs.span
        let symbols = codes.symbols.span
        let band = JPEGCodes.Band(
            table: part.codes + 4, first: scan.coefficients.lowerBound, end: scan.coefficients.upperBound + 1,
            low: scan.low, isProgressive: true)
        var bits = segment.bits
        for column in 0..<count {
            guard segment.beginUnit(restartInterval, &bits, data) != nil else { throw .irregular }
            if segment.endOfBandRun > 0, scan.high == 0 || marks[column] == 0 {
                segment.endOfBandRun &-= 1
                continue
            }
            let block = blocks + 64 &* column
            var filled = marks[column]
            if filled == 0 { block.update(repeating: 0, count: 64) }
            if scan.high > 0 {
                guard
                    codes.refine(
                        band, &bits, data, symbols, order, block, marking: &filled, endOfBandRun: &segment.endOfBandRun)
                else { throw .irregular }
            } else {
                let end = codes.decode(
                    band, &bits, data, pairs, symbols, order, into: block, marking: &filled,
                    endOfBandRun: &segment.endOfBandRun)
                guard end != nil else { throw .irregular }
            }
            marks[column] = filled
        }
        segment.bits = bits
    }

    private func block(_ number: Int) -> UnsafeMutablePointer<Int16>? {
        guard blocks.count > 0 else { return nil }
        return blocks.bytes.baseAddress.map { $0.assumingMemoryBound(to: Int16.self) + number * 64 }
    }

    private func marks(_ number: Int) -> UnsafeMutablePointer<UInt64>? {
        guard marks.count > 0 else { return nil }
        return marks.bytes.baseAddress.map { $0.assumingMemoryBound(to: UInt64.self) + number }
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
                draw(means + number, block(number), marks(number), size.width, target)
            }
        }
    }

    /// Draws a row of blocks. Without `blocks`, only their means.
    private func draw(
        _ means: UnsafePointer<Int16>, _ blocks: UnsafeMutablePointer<Int16>?, _ marks: UnsafePointer<UInt64>?,
        _ count: Int, _ target: JPEGPlanes.Target
    ) {
        for column in 0..<count {
            let filled = marks?[column] ?? 0
            guard filled > 0, let block = blocks.map({ $0 + 64 &* column }) else {
                draw(means[column], in: column, target)
                continue
            }
            block[0] = means[column]
            target.draw(block, column: column, isLow: filled < 1 << 10, clears: false)
        }
    }

    /// Draws a block that has only a mean.
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
