/// Where in the arena the entry of each digest is: one flat array with linear probing, at most three quarters full.
///
/// Each cell has 32 bits of the hash beside the place, so that a probe that does not match touches no entry, and neither
/// removal nor growth does.
struct DigestIndex {
    private struct Cell {
        var tag: UInt32
        /// Negative where the cell is free.
        var place: Int32

        static let free = Cell(tag: 0, place: -1)
        var isFree: Bool { place < 0 }
    }

    private var cells: ContiguousArray<Cell> = []
    private(set) var count = 0

    /// The place, among those with this tag, that `isMatch` accepts.
    @inline(__always)
    func place(tag: UInt32, where isMatch: (Int32) -> Bool) -> Int32? {
        guard count > 0 else { return nil }
        var position = home(of: tag)
        while !cells[position].isFree {
            if cells[position].tag == tag, isMatch(cells[position].place) { return cells[position].place }
            position = self.position(after: position)
        }
        return nil
    }

    /// Adds a place that is not there yet.
    mutating func insert(_ place: Int32, tag: UInt32) {
        if (count + 1) * 4 > cells.count * 3 { grow() }
        put(Cell(tag: tag, place: place))
        count += 1
    }

    /// Removes a place that is there. Those after it move up, so that no marks of removed ones pile up.
    mutating func remove(_ place: Int32, tag: UInt32) {
        guard var hole = position(of: place, tag: tag) else { return }
        var next = position(after: hole)
        while !cells[next].isFree {
            if distance(from: home(of: cells[next].tag), to: next) >= distance(from: hole, to: next) {
                cells[hole] = cells[next]
                hole = next
            }
            next = position(after: next)
        }
        cells[hole] = .free
        count -= 1
    }

    private func position(of place: Int32, tag: UInt32) -> Int? {
        guard count > 0 else { return nil }
        var position = home(of: tag)
        while !cells[position].isFree {
            if cells[position].place == place { return position }
            position = self.position(after: position)
        }
        return nil
    }

    private mutating func put(_ cell: Cell) {
        var position = home(of: cell.tag)
        while !cells[position].isFree { position = self.position(after: position) }
        cells[position] = cell
    }

    /// By a third, not to the next power of two: an entry's share stays between 11 and 15 bytes.
    private mutating func grow() {
        let old = cells
        cells = ContiguousArray(repeating: .free, count: max(16, old.count + old.count / 3))
        for cell in old where !cell.isFree { put(cell) }
    }

    /// Spreads tags over any number of cells, without a division.
    @inline(__always)
    private func home(of tag: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(tag) &* UInt64(truncatingIfNeeded: cells.count)) >> 32)
    }

    @inline(__always)
    private func position(after position: Int) -> Int {
        position + 1 == cells.count ? 0 : position + 1
    }

    private func distance(from first: Int, to second: Int) -> Int {
        second >= first ? second - first : second - first + cells.count
    }
}
