#if canImport(UIKit) || canImport(AppKit)
import ObjectiveC
import QuartzCore
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// Screen refreshes from CADisplayLink. Only this file needs Objective-C selectors, so that all others compile and run
/// without its runtime.
@MainActor
final class DisplayLink: ScreenRefresh {
    private let body: @MainActor () -> Void
    private var link: CADisplayLink?

    init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
        // The link retains its target, so an intermediate object prevents a cycle.
        let target = LinkTarget(self)
        #if canImport(UIKit)
        link = CADisplayLink(target: target, selector: #selector(LinkTarget.tick))
        #else
        link = NSScreen.main?.displayLink(target: target, selector: #selector(LinkTarget.tick))
        #endif
        link?.isPaused = true
        // Frames change during scrolling too.
        link?.add(to: .main, forMode: .common)
    }

    fileprivate func tick() { body() }

    var isPaused: Bool {
        get { link?.isPaused ?? true }
        set { link?.isPaused = newValue }
    }

    var now: Double { CACurrentMediaTime() }

    var nextFrame: Double { link?.targetTimestamp ?? now }

    func end() { link?.invalidate() }
}

@MainActor
private final class LinkTarget: NSObject {
    private weak var owner: DisplayLink?

    init(_ owner: DisplayLink) { self.owner = owner }

    @objc func tick() { owner?.tick() }
}
#endif
