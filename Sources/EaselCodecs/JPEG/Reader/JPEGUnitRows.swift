import EaselCore

/// Decodes a scan that holds all of an image, a row of units at a time (ITU-T T.81, annex F).
struct JPEGUnitRows: ~Copyable {
    private struct Block {
        var component: Int
        var meanCodes: Int
        var codes: Int
        /// Where it is in the unit, in blocks.
        var row: Int
        var column: Int
        /// Blocks from unit to unit.
        var step: Int
        /// Whether only its mean is drawn, and the rest can be passed over.
        var isMean: Bool
    }

    private let codes: JPEGCodes
    private let unitCount: Int
    private let restartInterval: Int
    private let steps: [[Int16]]
    private let blocks: [Block]
    private var segment: JPEGSegment
    private let scratch: ScratchMemory

    /// Images of fewer pixels take less time than finding pairs of codes.
    static let leastForPairs = 256 * 256
    private static let leastForSkips = 512 * 512

    /// - Parameter steps: the quantization steps of each component.
    init(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ frame: JPEGFrame, _ geometry: JPEGGeometry, steps: [[Int16]]
    ) throws(JPEGStop) {
        let pixelCount = frame.size.width * frame.size.height
        var codes = JPEGCodes()
        var blocks: [Block] = []
        for part in scan.parts {
            try codes.define(part.meanCodes, markers.codes[part.meanCodes], isWorthPairs: false)
            try codes.define(
                part.codes + 4, markers.codes[part.codes + 4], isWorthPairs: pixelCount > Self.leastForPairs)
            let component = frame.components[part.component]
            let isMean = pixelCount > Self.leastForSkips && geometry.components[part.component].side == 1
            for row in 0..<component.down {
                for column in 0..<component.across {
                    blocks.append(
                        Block(
                            component: part.component, meanCodes: part.meanCodes, codes: part.codes + 4, row: row,
                            column: column, step: component.across, isMean: isMean))
                }
            }
        }
        if blocks.contains(where: \.isMean) { codes.defineSkips() }
        let scratch: ScratchMemory
        do throws(ImageError) {
            scratch = try ScratchMemory(count: 128, for: frame.size)
        } catch { throw .irregular }
        scratch.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.codes = codes
        self.steps = steps
        self.blocks = blocks
        self.scratch = scratch
        unitCount = frame.units.width
        restartInterval = markers.restartInterval
        segment = JPEGSegment(at: scan.offset, restartInterval: restartInterval)
    }

    /// Decodes the next row of units, whose number is `row`.
    ///
    /// - Throws: `JPEGStop.irregular` for what makes no sense, and for data that ends too early. The state is that before then.
    mutating func decode(_ row: Int, _ file: Span<UInt8>, into planes: borrowing JPEGPlanes) throws(JPEGStop) {
        guard let block = scratch.bytes.baseAddress?.assumingMemoryBound(to: Int16.self) else { throw .irregular }
        let data = file.bytes
        let order = JPEGCodes.order
        var segment = segment
        var targets: [JPEGPlanes.Target] = []
        for place in blocks {
            let height = planes.geometry.components[place.component].height
            let rows = height / planes.geometry.components[place.component].side
            guard let target = planes.target(place.component, blockRow: row * rows + place.row) else { throw .irregular }
            targets.append(target)
        }
        var filled: UInt64 = 0
        var ended = 0
        for unit in 0..<unitCount {
            guard segment.beginUnit(restartInterval, data) else { throw .irregular }
            for index in 0..<blocks.count {
                let place = blocks[index]
                guard let difference = codes.takeDifference(&segment.bits, data, table: place.meanCodes) else {
                    throw .irregular
                }
                let mean = Int(segment.means[place.component]) &+ difference
                guard let exact = Int16(exactly: mean) else { throw .irregular }
                segment.means[place.component] = Int32(exact)
                var first = 1
                if place.isMean { first = codes.pass(&segment.bits, data, table: place.codes) }
                var end = 1
                if first < 64 {
                    let band = JPEGCodes.Band(table: place.codes, first: first)
                    guard
                        let last = codes.decode(
                            band, &segment.bits, data, into: block, order: order.span, marking: &filled, ended: &ended)
                    else {
                        block.update(repeating: 0, count: 64)
                        throw .irregular
                    }
                    end = last
                }
                let column = unit &* place.step &+ place.column
                if end == 1, targets[index].drawMean(mean, column: column) { continue }
                block[0] = exact
                steps[place.component].withUnsafeBufferPointer { steps in
                    guard let steps = steps.baseAddress else { return }
                    targets[index].draw(block, steps, column: column, isLow: end <= 10, clears: true)
                }
            }
        }
        guard !segment.bits.isExhausted else { throw .irregular }
        self.segment = segment
    }
}
