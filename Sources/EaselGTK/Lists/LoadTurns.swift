/// The queue of loads of invisible views. They start in the order in which they were set, a few at a time, and only
/// while few visible views are loading.
///
/// When visible views start to load after an idle period, as in the first screen of a window, at most `limit` loads
/// start ahead until these views are loaded and drawn. While scrolling through pages, some view is always loading, and
/// there is no wait for a frame.
///
/// A value type without side effects. `LoadsAhead` runs it.
struct LoadTurns<View: Hashable> {
    private struct Turn {
        let view: View
        let number: Int
    }

    /// The work that has precedence over loads ahead.
    enum Precedence: Equatable {
        case nothing
        /// Visible views are loading after an idle period.
        case seen
        /// They are loaded and about to be drawn.
        case drawing

        /// The longest duration of a turn. A slow image does not delay the others, and a frame is drawn by then.
        var patience: Duration? {
            switch self {
            case .nothing: nil
            case .seen: .seconds(1)
            case .drawing: .milliseconds(20)
            }
        }
    }

    /// The number of loading visible views at which no load starts ahead. Also the number of loads ahead before the
    /// first screen is drawn.
    let limit: Int
    /// The maximum number of concurrent loads ahead.
    let limitAhead: Int
    private var line: [Turn] = []
    /// The current turn of each waiting view. Other turns of the view are outdated.
    private var numbers: [View: Int] = [:]
    private var lastNumber = 0
    /// The loading views, visible or not.
    private var loading: Set<View> = []
    /// The views whose loads started ahead.
    private var ahead: Set<View> = []
    private(set) var precedence = Precedence.nothing
    /// The number of loads that started ahead since work with precedence began.
    private var begun = 0

    init(limit: Int, ahead limitAhead: Int) {
        self.limit = limit
        self.limitAhead = limitAhead
    }

    /// Whether a waiting load may start.
    var isDue: Bool { !numbers.isEmpty && hasRoom }

    private var hasRoom: Bool {
        ahead.count < limitAhead && (precedence == .nothing || begun < limit)
            && loading.count { !ahead.contains($0) } < limit
    }

    /// Adds a waiting load at the end of the line, replacing any earlier turn of the view.
    mutating func add(_ view: View) {
        lastNumber += 1
        numbers[view] = lastNumber
        line.append(Turn(view: view, number: lastNumber))
        if !loading.contains(view) { ahead.remove(view) }
    }

    /// Removes the waiting load of a view.
    mutating func leave(_ view: View) {
        guard numbers.removeValue(forKey: view) != nil else { return }
        // The outdated turn is skipped later, unless most of the line is outdated.
        if line.count > 2 * numbers.count + 16 { line.removeAll { numbers[$0.view] != $0.number } }
    }

    /// Updates whether a view is loading.
    mutating func setLoading(_ view: View, _ isLoading: Bool) {
        if isLoading {
            if !ahead.contains(view), loading.isEmpty || precedence == .drawing { give(.seen) }
            loading.insert(view)
        } else {
            loading.remove(view)
            ahead.remove(view)
            if precedence == .seen, loading.isSubset(of: ahead) { give(.drawing) }
        }
    }

    /// Ends the precedence after its time limit.
    mutating func endPrecedence() { precedence = .nothing }

    private mutating func give(_ new: Precedence) {
        if precedence == .nothing { begun = 0 }
        precedence = new
    }

    /// Removes and returns the first view that may start, or `nil`. Other views keep their positions.
    mutating func next(mayBegin: (View) -> Bool) -> View? {
        guard hasRoom else { return nil }
        var place = 0
        while place < line.count {
            let turn = line[place]
            let isCurrent = numbers[turn.view] == turn.number
            if isCurrent, !mayBegin(turn.view) {
                place += 1
                continue
            }
            line.remove(at: place)
            guard isCurrent else { continue }
            numbers[turn.view] = nil
            ahead.insert(turn.view)
            begun += 1
            return turn.view
        }
        return nil
    }
}
