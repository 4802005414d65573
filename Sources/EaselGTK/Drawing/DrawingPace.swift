/// Decides when the images that arrive at visible views are drawn.
///
/// Without a graphics card, a frame for each arriving image takes the processor time that the other images need. While
/// visible views load, the images that arrive soon after a frame wait in proportion to its duration, and are drawn
/// together. The last image that is loading, which may be the only one, does not wait.
///
/// A value type without side effects. `DrawingPacer` runs it.
struct DrawingPace<View: Hashable> {
    enum Action: Equatable {
        case draw(Set<View>)
        /// Call `drawAll()` after this time.
        case startTimer(Duration)
        case stopTimer
    }

    /// The pause after a frame, in durations of the frame. Drawing takes at most a quarter of the main thread's time.
    private static var pauseFactor: Double { 3 }
    private static var maximumPause: Duration { .milliseconds(100) }

    /// The visible views that are loading.
    private var loading: Set<View> = []
    /// The views with an image that is not drawn yet.
    private var waiting: Set<View> = []
    private var pauseEnd = Duration.zero

    /// Reports that a visible view begins or ends to load, or is no longer visible.
    mutating func setLoading(_ view: View, _ isLoading: Bool) -> [Action] {
        if isLoading { loading.insert(view) } else { loading.remove(view) }
        return loading.isEmpty ? drawAll() : []
    }

    /// Reports a change of what a view shows.
    mutating func change(_ view: View, at now: Duration) -> [Action] {
        // Another change is the application's, or an animation's.
        guard loading.contains(view), now < pauseEnd else {
            waiting.remove(view)
            return [.draw([view])]
        }
        let isFirst = waiting.isEmpty
        waiting.insert(view)
        return isFirst ? [.startTimer(pauseEnd - now)] : []
    }

    /// Reports a frame. A frame that draws nothing takes almost no time, and does not end an earlier pause.
    mutating func frame(from start: Duration, to end: Duration) {
        pauseEnd = max(pauseEnd, end + min((end - start) * Self.pauseFactor, Self.maximumPause))
    }

    /// Draws the waiting images: the pause has ended, or a frame is drawn anyway.
    mutating func drawAll() -> [Action] {
        guard !waiting.isEmpty else { return [] }
        return [.stopTimer, .draw(exchange(&waiting, with: []))]
    }
}
