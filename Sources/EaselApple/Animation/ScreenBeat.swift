/// The beats of a screen.
@MainActor
package protocol ScreenBeat: AnyObject, Sendable {
    /// Whether it rests. At first it does.
    var isPaused: Bool { get set }
    /// The time now, in seconds.
    var now: Double { get }
    /// When what is drawn now will be seen.
    var nextFrame: Double { get }
    /// It beats no more.
    func end()
}
