import EaselCore
import Synchronization

/// A decoder of a scan with all components, one row of units at a time (ITU-T T.81, annex F).
struct JPEGUnitRows: ~Copyable {
    private struct Block {
        var component: Int
        var meanCodes: Int
        var codes: Int
        /// The position in the unit, in blocks.
        var row: Int
        var column: Int
        /// The number of blocks of the component in a row of the unit.
        var step: Int
        /// Whether only the mean is drawn, so that the other coefficients can be skipped.
        var isMean: Bool
    }

    private let codes: JPEGCodes
    private let unitCount: Int
    private let restartInterval: Int
    private let blocks: [Block]
    /// The state at the first row.
    let start: JPEGScanState
    private let scratch: ScratchMemory

    /// The number of blocks that are decoded before they are drawn: loading vectors right after scalar stores is slow.
    private static let slots = 16

    /// The buffers that change with each block.
    private struct Memory {
        let blocks: UnsafeMutablePointer<Int16>
        /// The last mean of each component. An array, because changing an element of a vector is slow.
        let means: UnsafeMutablePointer<Int32>
        /// The position after the last coefficient of each block.
        let ends: UnsafeMutablePointer<UInt8>

        static let byteCount = 128 * slots + 16 + slots

        init?(_ scratch: borrowing ScratchMemory) {
            guard let start = scratch.bytes.baseAddress, scratch.count >= Self.byteCount else { return nil }
            scratch.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            blocks = start.assumingMemoryBound(to: Int16.self)
            means = (start + 128 * slots).assumingMemoryBound(to: Int32.self)
            ends = (start + 128 * slots + 16).assumingMemoryBound(to: UInt8.self)
        }

        /// Draws the blocks of units and clears them.
        @inline(__always)
        func draw(_ units: ClosedRange<Int>, _ blockSpan: Span<Block>, _ targets: Span<JPEGPlanes.Target>) {
            var slot = 0
            for unit in units {
                for index in blockSpan.indices {
                    let block = blocks + 64 &* slot
                    let end = ends[slot]
                    let column = unit &* blockSpan[index].step &+ blockSpan[index].column
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

    /// The number of pixels above which pairs of codes save more time than they take to find.
    static let minimumPixelsForPairs = 256 * 256
    private static let minimumPixelsForSkips = 512 * 512

    init(
        _ scan: JPEGScan, _ markers: JPEGMarkers, _ frame: JPEGFrame, _ geometry: JPEGGeometry
    ) throws(JPEGStop) {
        let pixelCount = frame.size.width * frame.size.height
        var codes = JPEGCodes.cached.withLock { $0 }
        var blocks: [Block] = []
        for part in scan.parts {
            try codes.define(part.meanCodes, markers.codes[part.meanCodes], usesPairs: false)
            try codes.define(
                part.codes + 4, markers.codes[part.codes + 4], usesPairs: pixelCount > Self.minimumPixelsForPairs)
            let component = frame.components[part.component]
            let isMean = pixelCount > Self.minimumPixelsForSkips && geometry.components[part.component].side == 1
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
        JPEGCodes.cached.withLock { [codes] cached in cached = codes }
        guard let scratch = try? ScratchMemory(count: Memory.byteCount, for: frame.size) else { throw .irregular }
        self.codes = codes
        self.blocks = blocks
        self.scratch = scratch
        unitCount = frame.units.width
        restartInterval = markers.restartInterval
        start = JPEGScanState(at: scan.offset, restartInterval: restartInterval)
    }

    /// Decodes row number `row` of units.
    ///
    /// - Parameter segment: the state at the beginning of the row, updated to its end. Unchanged after an error.
    /// - Throws: `JPEGStop.irregular` for invalid data and for data that ends too early.
    func decode(
        _ row: Int, _ file: Span<UInt8>, _ segment: inout JPEGScanState, into planes: borrowing JPEGPlanes
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
        let blockSpan = blocks.span
        let targetSpan = targets.span
        var next = segment
        var bits = segment.bits
        for index in 0..<4 { means[index] = segment.means[index] }
        var filled: UInt64 = 0
        var endOfBandRun = 0
        var (slot, drawnUnits) = (0, 0)
        for unit in 0..<unitCount {
            if restartInterval > 0 {
                guard let isRestarted = next.beginUnit(restartInterval, &bits, data) else { throw .irregular }
                if isRestarted { means.update(repeating: 0, count: 4) }
            }
            for index in blockSpan.indices {
                let block = blockSpan[index]
                guard let difference = codes.takeDifference(&bits, data, table: block.meanCodes, symbols),
                    let mean = Int16(exactly: Int(means[block.component]) &+ difference)
                else { throw .irregular }
                means[block.component] = Int32(mean)
                let coefficients = memory.blocks + 64 &* slot
                coefficients[0] = mean
                let first = block.isMean ? codes.skip(&bits, data, table: block.codes, skips) : 1
                memory.ends[slot] = 1
                if first < 64 {
                    let band = JPEGCodes.Band(table: block.codes, first: first)
                    guard
                        let end = codes.decode(
                            band, &bits, data, pairs, symbols, order, into: coefficients, marking: &filled,
                            endOfBandRun: &endOfBandRun)
                    else { throw .irregular }
                    memory.ends[slot] = UInt8(truncatingIfNeeded: end)
                }
                slot &+= 1
            }
            if slot &+ blockSpan.count > Self.slots || unit &+ 1 == unitCount {
                memory.draw(drawnUnits...unit, blockSpan, targetSpan)
                (slot, drawnUnits) = (0, unit + 1)
            }
        }
        guard !bits.isExhausted else { throw .irregular }
        bits.removePadding()
        next.bits = bits
        for index in 0..<4 { next.means[index] = means[index] }
        segment = next
    }

    /// Returns the destinations of the blocks in the first unit of a row.
    private func targets(_ row: Int, _ planes: borrowing JPEGPlanes) throws(JPEGStop) -> [JPEGPlanes.Target] {
        var targets: [JPEGPlanes.Target] = []
        for block in blocks {
            let component = planes.geometry.components[block.component]
            let blockRow = row * (component.height / component.side) + block.row
            guard let target = planes.target(block.component, blockRow: blockRow) else { throw .irregular }
            targets.append(target)
        }
        return targets
    }
}
