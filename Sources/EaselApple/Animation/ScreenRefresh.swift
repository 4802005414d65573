/// The refreshes of a screen.
@MainActor
package protocol ScreenRefresh: AnyObject, Sendable {
    /// Whether it is paused; initially true.
    var isPaused: Bool { get set }
    var now: Double { get }
    /// The time at which a frame drawn now is visible.
    var nextFrame: Double { get }
    func end()
}
