/// In which order the loads of views begin that are not seen yet: as they were set, only so many at a time, and only while few
/// views that are seen load.
///
/// Where nothing was loading and then something that is seen is, a window's first screen say, no more than that many begin in all
/// until it is there and drawn: the first that a person sees comes before all else. While one page follows the other there is
/// always something that loads, and nobody waits for a frame.
///
/// A pure value: `LoadsAhead` runs it.
struct LoadTurns<View: Hashable> {
    private struct Turn {
        let view: View
        let number: Int
    }

    /// What goes before the loads ahead.
    enum Precedence: Equatable {
        case nothing
        /// What is seen loads, and nothing was loading before.
        case seen
        /// It is there, and about to be drawn.
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

    /// As many views that are seen load as leave no room for others; and as many others begin before the first screen is drawn.
    let limit: Int
    /// Loads ahead at a time.
    let limitAhead: Int
    private var line: [Turn] = []
    /// The turn of each view in line; any other that is in line for it is out of date.
    private var numbers: [View: Int] = [:]
    private var lastNumber = 0
    /// Those that load, whether they are seen or not.
    private var loading: Set<View> = []
    /// Those whose loads began ahead.
    private var ahead: Set<View> = []
    private(set) var precedence = Precedence.nothing
    /// How many have begun ahead since something takes precedence.
    private var begun = 0

    init(limit: Int, ahead limitAhead: Int) {
        self.limit = limit
        self.limitAhead = limitAhead
    }

    /// Whether somebody waits who might begin.
    var isDue: Bool { !numbers.isEmpty && hasRoom }

    private var hasRoom: Bool {
        ahead.count < limitAhead && (precedence == .nothing || begun < limit)
            && loading.count { !ahead.contains($0) } < limit
    }

    /// A load of a view waits: it stands at the end of the line, whatever turn the view had.
    mutating func add(_ view: View) {
        lastNumber += 1
        numbers[view] = lastNumber
        line.append(Turn(view: view, number: lastNumber))
        if !loading.contains(view) { ahead.remove(view) }
    }

    /// Nothing of a view waits any more.
    mutating func leave(_ view: View) {
        guard numbers.removeValue(forKey: view) != nil else { return }
        // What is left of it goes when its turn comes, unless most of the line is such leftovers.
        if line.count > 2 * numbers.count + 16 { line.removeAll { numbers[$0.view] != $0.number } }
    }

    /// A view's load has begun, or is over.
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

    /// The patience with what goes before is over.
    mutating func endPrecedence() { precedence = .nothing }

    private mutating func give(_ new: Precedence) {
        if precedence == .nothing { begun = 0 }
        precedence = new
    }

    /// The view whose turn it is, which leaves the line: the first of those that may begin. The others keep their places.
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
