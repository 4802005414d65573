/// Replaces the type in Sources/EaselApple, which needs the Objective-C runtime. It never fires.
@MainActor
final class DisplayLink: ScreenRefresh {
    var isPaused = true
    let now = 0.0
    let nextFrame = 0.0

    init(_ body: @escaping @MainActor () -> Void) {}

    func end() {}
}
