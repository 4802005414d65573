/// In place of the one of Sources/EaselApple, which needs Objective-C's runtime to run: it never beats.
@MainActor
final class DisplayLinkBeat: ScreenBeat {
    var isPaused = true
    let now = 0.0
    let nextFrame = 0.0

    init(_ body: @escaping @MainActor () -> Void) {}

    func end() {}
}
