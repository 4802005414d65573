#if canImport(UIKit) || canImport(AppKit)
import EaselCore
package import EaselViews
import Foundation
import QuartzCore

/// An animation clock based on CADisplayLink, so that frames change with the screen. A timer waits while the next call
/// is distant, and nothing runs in between.
@MainActor
package final class DisplayLinkClock: AnimationClock {
    private struct Call {
        let due: Duration
        let body: @MainActor () -> Void
    }

    /// Two refreshes of a slow screen: a timer that fires this early is in time.
    private static let leadTime = Duration.milliseconds(34)

    private var calls: [Int: Call] = [:]
    private var lastNumber = 0
    private var timer: Task<Void, Never>?
    private let makeRefresh: @MainActor (@escaping @MainActor () -> Void) -> any ScreenRefresh
    /// Created when first needed, and invalidated with the clock.
    private var link: (any ScreenRefresh)?

    /// Creates a clock for the main screen.
    package convenience init() { self.init { DisplayLink($0) } }

    /// Creates a clock with a custom display link, for tests.
    package init(_ makeRefresh: @escaping @MainActor (@escaping @MainActor () -> Void) -> any ScreenRefresh) {
        self.makeRefresh = makeRefresh
    }

    deinit {
        timer?.cancel()
        if let link { Task { @MainActor in link.end() } }
    }

    private var refresh: any ScreenRefresh {
        if let link { return link }
        let link = makeRefresh { [weak self] in self?.fire() }
        self.link = link
        return link
    }

    /// The time of Core Animation.
    package var now: Duration { .seconds(refresh.now) }

    /// Calls `body` with the refresh after which the screen shows this time.
    package func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        lastNumber += 1
        let number = lastNumber
        calls[number] = Call(due: now + delay, body: body)
        wait()
        return { [weak self] in
            self?.calls[number] = nil
            self?.wait()
        }
    }

    private func fire() {
        let frame = Duration.seconds(refresh.nextFrame)
        let due = calls.filter { $0.value.due <= frame }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        // A call may cancel a later one.
        for (number, _) in due { calls.removeValue(forKey: number)?.body() }
        wait()
    }

    private func wait() {
        timer?.cancel()
        timer = nil
        let next = calls.values.map(\.due).min()
        let delay = next.map { $0 - now - Self.leadTime }
        refresh.isPaused = delay.map { $0 > .zero } ?? true
        guard let delay, delay > .zero else { return }
        timer = Task { [weak self] in
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            self?.wait()
        }
    }
}

extension AnimationTicker {
    /// The ticker of views on Apple platforms: one display link for all animations.
    package static let display = AnimationTicker(DisplayLinkClock(), interval: .zero)
}
#endif
