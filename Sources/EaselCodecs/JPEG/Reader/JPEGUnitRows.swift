import EaselCore
import Synchronization

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
    private let scratch: ScratchMemory

    /// Blocks that are decoded before they are drawn: what has just been written value by value is slow to read as vectors.
    private static let slots = 16

    /// What is changed block by block.
    private struct Memory {
        let blocks: UnsafeMutablePointer<Int16>
        /// The last mean of each component. One at a time, a vector's are slow to change.
        let means: UnsafeMutablePointer<Int32>
        /// The place after each block's last coefficient.
        let ends: UnsafeMutablePointer<UInt8>

        static let byteCount = 128 * slots + 16 + slots

        init?(_ scratch: borrowing ScratchMemory) {
            guard let start = scratch.bytes.baseAddress, scratch.count >= Self.byteCount else { return nil }
            scratch.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            blocks = start.assumingMemoryBound(to: Int16.self)
            means = (start + 128 * slots).assumingMemoryBound(to: Int32.self)
            ends = (start + 128 * slots + 16).assumingMemoryBound(to: UInt8.self)
        }

        /// Draws the blocks of units, and leaves zeros.
        @inline(__always)
        func draw(_ units: ClosedRange<Int>, _ places: Span<Block>, _ targets: Span<JPEGPlanes.Target>) {
            var slot = 0
            for unit in units {
                for index in places.indices {
                    let block = blocks + 64 &* slot
                    let end = ends[slot]
                    let column = unit &* places[index].step &+ places[index].column
                    if end == 1, targets[index].drawMean(Int(block[0]), column: column) {
                        block[0] = 0
                    } else {
                        targets[index].draw(block, column: column, isLow: end <= 10, clears: true)
                    }
                    slot &+= 1
                }
            }
        }
    }

    /// Images of fewer pixels take less time than finding pairs of codes.
    static let leastForPairs = 256 * 256
    private static let leastForSkips = 512 * 512

    init(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ frame: JPEGFrame, _ geometry: JPEGGeometry
    ) throws(JPEGStop) {
        let pixelCount = frame.size.width * frame.size.height
        var codes = JPEGCodes.last.withLock { $0 }
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
        JPEGCodes.last.withLock { [codes] last in last = codes }
        let scratch: ScratchMemory
        do throws(ImageError) {
            scratch = try ScratchMemory(count: Memory.byteCount, for: frame.size)
        } catch { throw .irregular }
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
        guard let memory = Memory(scratch) else { throw .irregular }
        let means = memory.means
        let data = file.bytes
        let orderArray = JPEGCodes.order
        let order = orderArray.span
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
        var (slot, drawnUnits) = (0, 0)
        for unit in 0..<unitCount {
            if restartInterval > 0 {
                guard let isRestarted = next.beginUnit(restartInterval, &bits, data) else { throw .irregular }
                if isRestarted { means.update(repeating: 0, count: 4) }
            }
            for index in places.indices {
                let place = places[index]
                guard let difference = codes.takeDifference(&bits, data, table: place.meanCodes, symbols),
                    let mean = Int16(exactly: Int(means[place.component]) &+ difference)
                else { throw .irregular }
                means[place.component] = Int32(mean)
                let block = memory.blocks + 64 &* slot
                block[0] = mean
                let first = place.isMean ? codes.pass(&bits, data, table: place.codes, skips) : 1
                memory.ends[slot] = 1
                if first < 64 {
                    let band = JPEGCodes.Band(table: place.codes, first: first)
                    guard
                        let end = codes.decode(
                            band, &bits, data, pairs, symbols, order, into: block, marking: &filled, ended: &ended)
                    else { throw .irregular }
                    memory.ends[slot] = UInt8(truncatingIfNeeded: end)
                }
                slot &+= 1
            }
            if slot &+ places.count > Self.slots || unit &+ 1 == unitCount {
                memory.draw(drawnUnits...unit, places, spots)
                (slot, drawnUnits) = (0, unit + 1)
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
