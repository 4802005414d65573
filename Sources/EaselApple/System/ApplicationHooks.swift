#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import Foundation
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Tells Easel what happens to its application: memory is short, nothing of it is on screen any more.
///
/// What the kernel says of memory, and a memory warning as critical, goes to `monitor`, which all caches listen to, that of
/// decoded frames too. In the background half of the memory stays, and files that are too old go, for which the system is
/// asked for a little time. At the end of the process the cache does the latter by itself, where it is due.
/// `ImageManager.apple` has these hooks.
@MainActor
public final class ApplicationHooks {
    private let observers: NotificationObservers
    private let pressure = DispatchMemoryPressure()

    /// Begins to listen, for as long as this object is kept.
    public init(_ cache: ImageCache, monitor: MemoryPressureMonitor = .system, center: NotificationCenter = .default) {
        observers = NotificationObservers(center)
        pressure.start { monitor.report($0) }
        #if canImport(UIKit)
        observers.observe(UIApplication.didReceiveMemoryWarningNotification) { monitor.report(.critical) }
        observers.observe(UIApplication.didEnterBackgroundNotification) {
            MainActor.assumeIsolated { Self.enterBackground(cache) }
        }
        #elseif canImport(AppKit)
        observers.observe(NSApplication.didHideNotification) {
            Task { await cache.enterBackground() }
        }
        #endif
    }

    deinit { pressure.stop() }

    #if canImport(UIKit)
    /// The system grants some seconds; what is not done by then is done another day.
    private static func enterBackground(_ cache: ImageCache) {
        let time = BackgroundTime("Easel: old files")
        Task {
            await cache.enterBackground()
            time.end()
        }
    }
    #endif
}

/// Observers that end with this object.
///
/// `@unchecked Sendable` is sound: what is kept is written on the main actor alone and read once, at the end, and a
/// notification center may be used from any thread.
private final class NotificationObservers: @unchecked Sendable {
    private let center: NotificationCenter
    private var observers: [any NSObjectProtocol] = []

    init(_ center: NotificationCenter) {
        self.center = center
    }

    deinit {
        for observer in observers { center.removeObserver(observer) }
    }

    @MainActor
    func observe(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
        // Applications are told on the main thread; without a queue, before who told it goes on.
        observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }
}
#endif
