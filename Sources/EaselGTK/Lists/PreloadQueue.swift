/// The queue of loads of invisible views. They start in the order in which they were set, a few at a time, and only
/// while few visible views are loading.
///
/// When visible views start to load after an idle period, as in the first screen of a window, at most `limit` preloads
/// start until these views are loaded and drawn. While scrolling through pages, some view is always loading, and
/// there is no wait for a frame.
///
/// A value type without side effects. `Preloader` runs it.
struct PreloadQueue<View: Hashable> {
    /// The work that has precedence over preloads.
    enum Precedence: Equatable {
        case nothing
        /// Visible views are loading after an idle period.
        case visible
        /// They are loaded and about to be drawn.
        case drawing

        /// The longest duration. A slow image does not delay the others, and a frame is drawn by then.
        var timeLimit: Duration? {
            switch self {
            case .nothing: nil
            case .visible: .seconds(1)
            case .drawing: .milliseconds(20)
            }
        }
    }

    /// The number of loading visible views at which no preload starts. Also the number of preloads before the first
    /// screen is drawn.
    let limit: Int
    /// The maximum number of concurrent preloads.
    let preloadLimit: Int
    private var queue: [View] = []
    /// The loading views, visible or not.
    private var loading: Set<View> = []
    /// The views with a running preload.
    private var preloading: Set<View> = []
    private(set) var precedence = Precedence.nothing
    /// The number of preloads started since work with precedence began.
    private var startedCount = 0

    init(limit: Int, preloads preloadLimit: Int) {
        self.limit = limit
        self.preloadLimit = preloadLimit
    }

    var isDue: Bool { !queue.isEmpty && hasRoom }

    private var hasRoom: Bool {
        preloading.count < preloadLimit && (precedence == .nothing || startedCount < limit)
            && loading.count { !preloading.contains($0) } < limit
    }

    /// Adds a waiting load at the end of the queue, replacing any earlier one of the view.
    mutating func add(_ view: View) {
        remove(view)
        queue.append(view)
        if !loading.contains(view) { preloading.remove(view) }
    }

    mutating func remove(_ view: View) {
        if let index = queue.firstIndex(of: view) { queue.remove(at: index) }
    }

    mutating func setLoading(_ view: View, _ isLoading: Bool) {
        if isLoading {
            if !preloading.contains(view), loading.isEmpty || precedence == .drawing { setPrecedence(.visible) }
            loading.insert(view)
        } else {
            loading.remove(view)
            preloading.remove(view)
            if precedence == .visible, loading.isSubset(of: preloading) { setPrecedence(.drawing) }
        }
    }

    /// Ends the precedence after its time limit.
    mutating func endPrecedence() { precedence = .nothing }

    private mutating func setPrecedence(_ new: Precedence) {
        if precedence == .nothing { startedCount = 0 }
        precedence = new
    }

    /// Removes and returns the first view that may start, or `nil`. Other views keep their positions.
    mutating func next(canStart: (View) -> Bool) -> View? {
        guard hasRoom, let index = queue.firstIndex(where: canStart) else { return nil }
        let view = queue.remove(at: index)
        preloading.insert(view)
        startedCount += 1
        return view
    }
}

/// The visible positions of a list, and the distance of others.
///
/// Some positions are neither near nor far, so that small scroll movements have no effect.
struct VisibleRange {
    private let visible: ClosedRange<Int>

    init?(of positions: some Collection<Int>) {
        guard let first = positions.min(), let last = positions.max() else { return nil }
        visible = first...last
    }

    /// Returns whether a position may soon be visible: it is within a quarter of a page.
    func isNear(_ position: Int) -> Bool { distance(of: position) <= (visible.count + 3) / 4 }

    /// Returns whether a position is more than half a page away.
    func isFar(_ position: Int) -> Bool { distance(of: position) > (visible.count + 1) / 2 }

    private func distance(of position: Int) -> Int {
        max(visible.lowerBound - position, position - visible.upperBound, 0)
    }
}
