#if canImport(UIKit) || canImport(AppKit)
import Dispatch
public import EaselCore
public import Foundation
import Synchronization
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// An object that connects Easel to application events: memory pressure and entering the background.
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
        #else
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

    init(_ center: NotificationCenter) { self.center = center }

    deinit {
        for observer in observers { center.removeObserver(observer) }
    }

    @MainActor
    func observe(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
        // Applications post these on the main thread. Without a queue, the block runs before the post returns.
        observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }
}

/// Memory pressure events of the kernel, on all Apple platforms.
final class DispatchMemoryPressure: MemoryPressureSource {
    /// Sound because Dispatch sources are thread-safe, although not every SDK declares it.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceProtocol
    }

    private let sources = Mutex<[Source]>([])

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        // One source per level, so that no handler has to query its source.
        let levels: [(DispatchSource.MemoryPressureEvent, MemoryPressure)] = [
            (.warning, .warning), (.critical, .critical),
        ]
        let started = levels.map { event, level in
            let source = DispatchSource.makeMemoryPressureSource(eventMask: event, queue: .global(qos: .utility))
            source.setEventHandler { report(level) }
            source.activate()
            return Source(source: source)
        }
        sources.withLock { $0 = started }
    }

    func stop() {
        for source in sources.withLock({ exchange(&$0, with: []) }) { source.source.cancel() }
    }
}

#if canImport(UIKit)
/// Background execution time for work that should not be interrupted.
///
/// ```swift
/// let time = BackgroundTime("Images of the open article") { task.cancel() }
/// _ = try await task.response
/// time.end()
/// ```
@MainActor
public final class BackgroundTime {
    private var identifier = UIBackgroundTaskIdentifier.invalid

    /// Requests time. If it expires before `end()`, `expired` is called and must stop the work immediately.
    public init(_ name: String, expired: @escaping @MainActor () -> Void = {}) {
        identifier = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
            // The system calls this on the main thread.
            MainActor.assumeIsolated {
                expired()
                self?.end()
            }
        }
    }

    /// Returns the remaining time to the system. Idempotent.
    public func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
#endif
#endif
