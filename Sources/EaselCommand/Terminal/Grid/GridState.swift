import EaselCore

/// A grid that a person looks at: what of it is seen, what has to be loaded for that, and what has to be drawn.
///
/// What is seen is loaded first. The next page is loaded ahead, at low priority; so is what has just been seen, while it is no
/// more than a page away. All else is cancelled, and its images are given back.
///
/// It takes events and says what is to be done about all of them together: a key that is held down draws no more often than
/// the terminal can take.
struct GridState: Sendable {
    /// What happened.
    enum Event: Sendable, Hashable {
        /// A key was typed.
        case key(Key)
        /// The window has another size, or has lost what was drawn.
        case window(TerminalSize)
        /// A cell's image is there, for a box of this size.
        case ready(Int, PixelSize)
        /// A cell's image for a box of this size cannot be had.
        case failed(Int, PixelSize)
    }

    /// What is to be done, in this order.
    enum Action: Sendable, Hashable {
        /// The whole screen is empty from here on.
        case clear
        /// A cell is to be drawn in its place.
        case draw(Int)
        /// The line below the grid has changed.
        case drawStatus
        /// A cell's work is to end without a result.
        case cancel(Int)
        /// What was loaded for a cell is not needed soon.
        case release(Int)
        /// An image is to be loaded and made ready for a box of this size.
        case load(Int, PixelSize, LoadPriority)
        /// The image that the cell has is to be made ready for a smaller box.
        case fit(Int, PixelSize)
        /// A load is to be more, or less, urgent.
        case prioritize(Int, LoadPriority)
    }

    /// What is seen in a cell.
    enum Content: Sendable, Hashable {
        case waiting, image, failure
    }

    private struct Cell {
        /// The box that its image was decoded for.
        var decoded: PixelSize?
        /// The box that it is ready to be drawn in.
        var ready: PixelSize?
        /// The box that something is under way for, and how urgently.
        var work: (box: PixelSize, priority: LoadPriority, isLoad: Bool)?
        var hasFailed = false
    }

    /// Where the cells are.
    private(set) var layout: GridLayout
    /// The first row of cells in the window.
    private(set) var top = 0
    /// Whether the person has had enough.
    private(set) var hasLeft = false

    private let wantedColumns: Int?
    private var isHeadingUp = false
    /// Those about which anything is known.
    private var cells: [Int: Cell] = [:]
    private var mustClear = true
    private var changed: Set<Int> = []
    private var drawnStatus: GridStatus?

    /// A grid of `count` cells, of which nothing is drawn or loaded yet.
    init(count: Int, window: TerminalSize, mode: GraphicsMode, columns: Int? = nil) {
        wantedColumns = columns
        layout = GridLayout(count: count, window: window, mode: mode, columns: columns)
    }

    /// The cells in the window.
    var visible: Range<Int> { layout.cells(inRows: top..<top + layout.page) }

    /// What is seen in a cell.
    func content(of index: Int) -> Content {
        guard let cell = cells[index] else { return .waiting }
        if cell.hasFailed { return .failure }
        return cell.ready?.fits(in: layout.box) == true ? .image : .waiting
    }

    /// What there is to say about the whole grid.
    var status: GridStatus {
        GridStatus(
            seen: visible, count: layout.count, loading: visible.count { content(of: $0) == .waiting },
            failed: cells.values.count(where: \.hasFailed))
    }

    // MARK: - Events

    /// Takes what has happened, and says what is to be done about it.
    mutating func handle(_ events: some Sequence<Event>) -> [Action] {
        for event in events { take(event) }
        return hasLeft ? [] : drawing() + working()
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .key(.leave): hasLeft = true
        case .key(.redraw): mustClear = true
        case .key(.up): scroll(to: top - 1)
        case .key(.down): scroll(to: top + 1)
        case .key(.pageUp): scroll(to: top - layout.page)
        case .key(.pageDown): scroll(to: top + layout.page)
        case .key(.home): scroll(to: 0)
        case .key(.end): scroll(to: layout.lastTop)
        case .window(let window): resize(to: window)
        case .ready(let index, let box):
            guard let work = cells[index]?.work, work.box == box else { return }
            if work.isLoad { cells[index]?.decoded = box }
            cells[index]?.ready = box
            end(index)
        case .failed(let index, let box):
            guard cells[index]?.work?.box == box else { return }
            cells[index]?.hasFailed = true
            end(index)
        }
    }

    private mutating func end(_ index: Int) {
        cells[index]?.work = nil
        changed.insert(index)
    }

    private mutating func scroll(to row: Int) {
        let row = min(max(row, 0), layout.lastTop)
        guard row != top else { return }
        isHeadingUp = row < top
        top = row
        mustClear = true
    }

    /// The first cell in the window stays in its first row.
    private mutating func resize(to window: TerminalSize) {
        let first = top * layout.columns
        layout = GridLayout(count: layout.count, window: window, mode: layout.mode, columns: wantedColumns)
        top = min(first / layout.columns, layout.lastTop)
        mustClear = true
    }

    // MARK: - Actions

    private mutating func drawing() -> [Action] {
        defer { (mustClear, changed) = (false, []) }
        let cells = mustClear ? Array(visible) : visible.filter(changed.contains)
        var actions = (mustClear ? [Action.clear] : []) + cells.map(Action.draw)
        if mustClear || status != drawnStatus { actions.append(.drawStatus) }
        drawnStatus = status
        return actions
    }

    private mutating func working() -> [Action] {
        let page = layout.page
        let below = layout.cells(inRows: top + page..<top + 2 * page)
        let above = layout.cells(inRows: top - page..<top)
        let kept = above.lowerBound..<max(below.upperBound, visible.upperBound)
        var actions = cells.keys.sorted().filter { !kept.contains($0) }.flatMap { leave($0) }
        for index in visible { actions += want(index, .normal) }
        for index in isHeadingUp ? above : below { actions += want(index, .low) }
        for index in isHeadingUp ? below : above where cells[index]?.work != nil { actions += want(index, .low) }
        return actions
    }

    /// Ends what is under way for a cell that is far away, and gives back what it has.
    private mutating func leave(_ index: Int) -> [Action] {
        guard let cell = cells[index] else { return [] }
        cells[index] = cell.hasFailed ? Cell(hasFailed: true) : nil
        return (cell.work != nil ? [.cancel(index)] : []) + (cell.ready != nil ? [.release(index)] : [])
    }

    /// Sees to it that a cell's image is there, or comes.
    private mutating func want(_ index: Int, _ priority: LoadPriority) -> [Action] {
        let box = layout.box
        var cell = cells[index, default: Cell()]
        defer { cells[index] = cell }
        if cell.hasFailed { return [] }
        if let work = cell.work {
            // Where the window has changed meanwhile what comes is of the wrong size, but soon there, and then seen to.
            guard work.isLoad, work.priority != priority else { return [] }
            cell.work?.priority = priority
            return [.prioritize(index, priority)]
        }
        if cell.ready == box { return [] }
        let isLarge = cell.decoded.map { box.fits(in: $0) } ?? false
        cell.work = (box, priority, !isLarge)
        return [isLarge ? .fit(index, box) : .load(index, box, priority)]
    }
}

/// What there is to say about a grid.
struct GridStatus: Sendable, Hashable {
    /// The cells in the window.
    var seen: Range<Int>
    var count: Int
    /// Cells in the window that wait for their images.
    var loading: Int
    /// Cells whose images cannot be had.
    var failed: Int

    /// A line, which keeps the keys for where there is room.
    var text: String {
        var parts = ["\(seen.lowerBound + 1) to \(seen.upperBound) of \(count)"]
        if loading > 0 { parts.append("\(loading) loading") }
        if failed > 0 { parts.append("\(failed) failed") }
        return parts.joined(separator: ", ") + "   q leaves, arrows, space and b scroll"
    }
}

extension PixelSize {
    /// Whether it is nowhere larger than `box`.
    func fits(in box: PixelSize) -> Bool { width <= box.width && height <= box.height }
}
