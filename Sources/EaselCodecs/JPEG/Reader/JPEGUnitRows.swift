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
    private let blocks: [Block]
    /// Where the first row begins.
    let start: JPEGSegment
    /// A block, and after it the last mean of each component: where they are changed one by one, a vector is slow.
    private let scratch: ScratchMemory

    /// Images of fewer pixels take less time than finding pairs of codes.
    static let leastForPairs = 256 * 256
    private static let leastForSkips = 512 * 512

    init(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ frame: JPEGFrame, _ geometry: JPEGGeometry
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
            scratch = try ScratchMemory(count: 128 + 16, for: frame.size)
        } catch { throw .irregular }
        scratch.bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.codes = codes
        self.blocks = blocks
        self.scratch = scratch
        unitCount = frame.units.width
        restartInterval = markers.restartInterval
        start = JPEGSegment(at: scan.offset, restartInterval: restartInterval)
    }

    /// Decodes the next row of units, whose number is `row`.
    ///
    /// - Parameter segment: where the row begins, and then where the next one does. Unchanged after an error.
    /// - Throws: `JPEGStop.irregular` for what makes no sense, and for data that ends too early.
    func decode(
        _ row: Int, _ file: Span<UInt8>, _ segment: inout JPEGSegment, into planes: borrowing JPEGPlanes
    ) throws(JPEGStop) {
        guard let start = scratch.bytes.baseAddress else { throw .irregular }
        let block = start.assumingMemoryBound(to: Int16.self)
        let means = (start + 128).assumingMemoryBound(to: Int32.self)
        let data = file.bytes
        let order = JPEGCodes.order.span
        let pairs = codes.pairs.span
        let symbols = codes.symbols.span
        let skips = codes.skips.span
        let targets = try targets(row, planes)
        let places = blocks.span
        let spots = targets.span
        var next = segment
        var bits = segment.bits
        for index in 0..<4 { means[index] = segment.means[index] }
        var filled: UInt64 = 0
        var ended = 0
        for unit in 0..<unitCount {
            if restartInterval > 0 {
                guard let isRestarted = next.beginUnit(restartInterval, &bits, data) else { throw .irregular }
                if isRestarted { means.update(repeating: 0, count: 4) }
            }
            for index in places.indices {
                let place = places[index]
                guard let difference = codes.takeDifference(&bits, data, table: place.meanCodes, symbols) else {
                    throw .irregular
                }
                let mean = Int(means[place.component]) &+ difference
                guard let exact = Int16(exactly: mean) else { throw .irregular }
                means[place.component] = Int32(exact)
                let first = place.isMean ? codes.pass(&bits, data, table: place.codes, skips) : 1
                var end = 1
                if first < 64 {
                    let band = JPEGCodes.Band(table: place.codes, first: first)
                    guard
                        let last = codes.decode(
                            band, &bits, data, pairs, order, into: block, marking: &filled, ended: &ended)
                    else {
                        block.update(repeating: 0, count: 64)
                        throw .irregular
                    }
                    end = last
                }
                let column = unit &* place.step &+ place.column
                if end == 1, spots[index].drawMean(mean, column: column) { continue }
                block[0] = exact
                spots[index].draw(block, column: column, isLow: end <= 10, clears: true)
            }
        }
        guard !bits.isExhausted else { throw .irregular }
        next.bits = bits
        for index in 0..<4 { next.means[index] = means[index] }
        segment = next
    }

    /// Where the blocks of the first unit of a row are drawn.
    private func targets(_ row: Int, _ planes: borrowing JPEGPlanes) throws(JPEGStop) -> [JPEGPlanes.Target] {
        var targets: [JPEGPlanes.Target] = []
        for place in blocks {
            let component = planes.geometry.components[place.component]
            let blockRow = row * (component.height / component.side) + place.row
            guard let target = planes.target(place.component, blockRow: blockRow) else { throw .irregular }
            targets.append(target)
        }
        return targets
    }
}
