#if canImport(UIKit) || canImport(AppKit)
import ObjectiveC
import QuartzCore
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Screen refreshes from CADisplayLink. Only this file needs Objective-C selectors, so that all others compile and run
/// without its runtime.
@MainActor
final class DisplayLinkBeat: NSObject, ScreenBeat {
    private let body: @MainActor () -> Void
    private var link: CADisplayLink?

    init(_ body: @escaping @MainActor () -> Void) {
        self.body = body
        super.init()
        // The link retains its target, so an intermediate object prevents a cycle.
        let target = LinkTarget(self)
        #if canImport(UIKit)
        let link = CADisplayLink(target: target, selector: #selector(LinkTarget.tick))
        #elseif canImport(AppKit)
        let link = NSScreen.main?.displayLink(target: target, selector: #selector(LinkTarget.tick))
        #endif
        start(link)
    }

    private func start(_ link: CADisplayLink?) {
        link?.isPaused = true
        // Frames change during scrolling too.
        link?.add(to: .main, forMode: .common)
        self.link = link
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
    private weak var beat: DisplayLinkBeat?

    init(_ beat: DisplayLinkBeat) {
        self.beat = beat
    }

    @objc func tick() { beat?.tick() }
}
#endif
