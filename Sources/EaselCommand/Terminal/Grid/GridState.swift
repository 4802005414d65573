import EaselCore

/// The state of a grid on the screen: the visible cells, the loads and the drawing.
///
/// Visible cells are loaded first. The next page is preloaded at low priority, and so are cells up to a page back.
/// Other loads are cancelled, and their images are released.
///
/// All pending events are handled together, so that a repeating key draws no more often than the terminal can process.
struct GridState: Sendable {
    enum Event: Sendable, Hashable {
        case key(Key)
        /// The window was resized or cleared.
        case window(TerminalSize)
        /// The image of a cell is ready for a box of this size.
        case ready(Int, PixelSize)
        /// The image of a cell failed for a box of this size.
        case failed(Int, PixelSize)
    }

    /// An action. Actions are performed in order.
    enum Action: Sendable, Hashable {
        case clear
        case draw(Int)
        /// Draw the line below the grid.
        case drawStatus
        case cancel(Int)
        case release(Int)
        /// Load an image and prepare it for a box of this size.
        case load(Int, PixelSize, LoadPriority)
        /// Scale the cell's image down to a smaller box.
        case fit(Int, PixelSize)
        case prioritize(Int, LoadPriority)
    }

    enum Content: Sendable, Hashable {
        case waiting, image, failure
    }

    private struct Cell {
        /// The box that the image was decoded for.
        var decoded: PixelSize?
        /// The box that the image is prepared for.
        var ready: PixelSize?
        /// The box and priority of the current work.
        var work: (box: PixelSize, priority: LoadPriority, isLoad: Bool)?
        var hasFailed = false
    }

    private(set) var layout: GridLayout
    private(set) var top = 0
    private(set) var hasQuit = false

    private let requestedColumns: Int?
    private var isScrollingUp = false
    /// The cells with any state.
    private var cells: [Int: Cell] = [:]
    private var mustClear = true
    private var changed: Set<Int> = []
    private var drawnStatus: String?

    /// Creates a grid of `count` cells. Nothing is drawn or loaded yet.
    init(count: Int, window: TerminalSize, mode: GraphicsMode, columns: Int? = nil) {
        requestedColumns = columns
        layout = GridLayout(count: count, window: window, mode: mode, columns: columns)
    }

    var visible: Range<Int> { layout.cells(inRows: top..<top + layout.page) }

    func content(of index: Int) -> Content {
        guard let cell = cells[index] else { return .waiting }
        if cell.hasFailed { return .failure }
        return cell.ready?.fits(in: layout.box) == true ? .image : .waiting
    }

    /// The status line. Help on keys comes last, so that it is cut first.
    var status: String {
        let loading = visible.count { content(of: $0) == .waiting }
        let failed = cells.values.count(where: \.hasFailed)
        return "\(visible.lowerBound + 1) to \(visible.upperBound) of \(layout.count)"
            + (loading > 0 ? ", \(loading) loading" : "") + (failed > 0 ? ", \(failed) failed" : "")
            + "   q quits; arrows, space and b scroll"
    }

    // MARK: - Events

    /// Handles events and returns the resulting actions.
    mutating func handle(_ events: some Sequence<Event>) -> [Action] {
        for event in events { apply(event) }
        return hasQuit ? [] : drawActions() + loadActions()
    }

    private mutating func apply(_ event: Event) {
        switch event {
        case .key(.quit): hasQuit = true
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
        isScrollingUp = row < top
        top = row
        mustClear = true
    }

    /// Adapts to a new window size. The first visible cell stays in the first row.
    private mutating func resize(to window: TerminalSize) {
        let first = top * layout.columns
        layout = GridLayout(count: layout.count, window: window, mode: layout.mode, columns: requestedColumns)
        top = min(first / layout.columns, layout.lastTop)
        mustClear = true
    }

    // MARK: - Actions

    private mutating func drawActions() -> [Action] {
        defer { (mustClear, changed) = (false, []) }
        let cells = mustClear ? Array(visible) : visible.filter(changed.contains)
        var actions = (mustClear ? [Action.clear] : []) + cells.map(Action.draw)
        if mustClear || status != drawnStatus { actions.append(.drawStatus) }
        drawnStatus = status
        return actions
    }

    private mutating func loadActions() -> [Action] {
        let page = layout.page
        let below = layout.cells(inRows: top + page..<top + 2 * page)
        let above = layout.cells(inRows: top - page..<top)
        let range = above.lowerBound..<max(below.upperBound, visible.upperBound)
        var actions = cells.keys.sorted().filter { !range.contains($0) }.flatMap { release($0) }
        for index in visible { actions += requestImage(index, .normal) }
        for index in isScrollingUp ? above : below { actions += requestImage(index, .low) }
        for index in isScrollingUp ? below : above where cells[index]?.work != nil {
            actions += requestImage(index, .low)
        }
        return actions
    }

    /// Cancels the work of a distant cell and releases its image.
    private mutating func release(_ index: Int) -> [Action] {
        guard let cell = cells[index] else { return [] }
        cells[index] = cell.hasFailed ? Cell(hasFailed: true) : nil
        return (cell.work != nil ? [.cancel(index)] : []) + (cell.ready != nil ? [.release(index)] : [])
    }

    /// Loads or prepares the image of a cell if needed.
    private mutating func requestImage(_ index: Int, _ priority: LoadPriority) -> [Action] {
        let box = layout.box
        var cell = cells[index, default: Cell()]
        defer { cells[index] = cell }
        if cell.hasFailed { return [] }
        if let work = cell.work {
            // After a resize the current load has the wrong size. It is scaled when it ends.
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

extension PixelSize {
    func fits(in box: PixelSize) -> Bool { width <= box.width && height <= box.height }
}
