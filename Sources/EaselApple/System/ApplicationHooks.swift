#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import Foundation
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Connects Easel to application events: memory pressure and entering the background.
///
/// Memory pressure from the kernel, and memory warnings as critical pressure, are reported to `monitor`, which all
/// caches observe, including those of decoded frames. In the background, half of the memory cache is released, and
/// expired files are removed in background time requested from the system. Before the process ends, the cache removes
/// expired files itself if due. `ImageManager.apple` has these hooks.
@MainActor
public final class ApplicationHooks {
    private let observers: NotificationObservers
    private let pressure = DispatchMemoryPressure()

    /// Starts observing, until this object is released.
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
    /// The system grants a few seconds. The remaining files are removed another time.
    private static func enterBackground(_ cache: ImageCache) {
        let time = BackgroundTime("Easel: old files")
        Task {
            await cache.enterBackground()
            time.end()
        }
    }
    #endif
}

/// Notification observers that are removed with this object.
///
/// `@unchecked Sendable` is sound: the array is changed only on the main actor and read once, in deinit, and a
/// notification center is thread-safe.
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
        // Applications post these on the main thread. Without a queue, the block runs before the post returns.
        observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }
}
#endif
