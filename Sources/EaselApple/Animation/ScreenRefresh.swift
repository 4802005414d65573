/// The refreshes of a screen.
@MainActor
package protocol ScreenBeat: AnyObject, Sendable {
    /// Whether it is paused; initially true.
    var isPaused: Bool { get set }
    /// The current time in seconds.
    var now: Double { get }
    /// The time at which a frame drawn now is visible.
    var nextFrame: Double { get }
    /// Stops the refreshes permanently.
    func end()
}
