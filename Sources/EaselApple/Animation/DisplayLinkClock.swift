#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
import Foundation
import QuartzCore

/// An animation clock based on CADisplayLink, which is active only shortly before a frame changes.
@MainActor
public final class DisplayLinkClock: AnimationClock {
    private var schedule = BeatSchedule()
    private var bodies: [Int: @MainActor () -> Void] = [:]
    private var timer: Task<Void, Never>?
    private let makeBeat: @MainActor (@escaping @MainActor () -> Void) -> any ScreenBeat
    /// Created when first needed, and invalidated with the clock.
    private var link: (any ScreenBeat)?

    /// Creates a clock for the main screen.
    public convenience init() {
        self.init { DisplayLinkBeat($0) }
    }

    /// Creates a clock with a custom display link, for tests.
    package init(_ makeBeat: @escaping @MainActor (@escaping @MainActor () -> Void) -> any ScreenBeat) {
        self.makeBeat = makeBeat
    }

    deinit {
        timer?.cancel()
        if let link { Task { @MainActor in link.end() } }
    }

    private var beat: any ScreenBeat {
        if let link { return link }
        let link = makeBeat { [weak self] in self?.ring() }
        self.link = link
        return link
    }

    /// The time of Core Animation.
    public var now: Duration { .seconds(beat.now) }

    /// Calls `body` with the refresh after which the screen shows this time.
    public func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        let number = schedule.add(due: now + delay)
        bodies[number] = body
        wait()
        return { [weak self] in self?.cancel(number) }
    }

    private func cancel(_ number: Int) {
        schedule.remove(number)
        bodies[number] = nil
        wait()
    }

    private func ring() {
        for number in schedule.takeDue(at: .seconds(beat.nextFrame)) { bodies.removeValue(forKey: number)?() }
        wait()
    }

    private func wait() {
        timer?.cancel()
        timer = nil
        switch schedule.wait(at: now) {
        case .nothing: beat.isPaused = true
        case .beats: beat.isPaused = false
        case .timer(let delay):
            beat.isPaused = true
            timer = Task { [weak self] in
                guard (try? await Task.sleep(for: delay)) != nil else { return }
                self?.wait()
            }
        }
    }
}

extension AnimationTicker {
    /// The ticker of views on Apple platforms: one display link for all animations.
    public static let display = AnimationTicker(DisplayLinkClock(), interval: .zero)
}
#endif
