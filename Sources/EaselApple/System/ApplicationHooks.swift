#if canImport(UIKit) || canImport(AppKit)
public import EaselCore
public import Foundation
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Does what a cache has to when its application is short of memory, goes out of sight, or ends (X069, X095, X096, S134).
///
/// A memory warning empties the memory; in the background half of it stays, and files that are too old go, for which the
/// system is asked for a little time; at the end of the process the latter is done at once, where it is due, by the cache
/// itself. `ImageManager.apple` has these hooks.
@MainActor
public final class ApplicationHooks {
    private let cache: any ImageCaching
    private var observers: [any NSObjectProtocol] = []
    private let center: NotificationCenter

    /// Begins to listen, for as long as this object is kept.
    public init(_ cache: ImageCache, center: NotificationCenter = .default) {
        self.cache = cache
        self.center = center
        #if canImport(UIKit)
        observe(UIApplication.didReceiveMemoryWarningNotification) {
            // Where the cache has a monitor of its own, it is told all the same.
            cache.trimMemory(for: .critical)
        }
        observe(UIApplication.didEnterBackgroundNotification) {
            MainActor.assumeIsolated { Self.enterBackground(cache) }
        }
        #elseif canImport(AppKit)
        observe(NSApplication.didHideNotification) {
            Task { await cache.enterBackground() }
        }
        #endif
    }

    isolated deinit {
        for observer in observers { center.removeObserver(observer) }
    }

    private func observe(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
        // Applications are told on the main thread; without a queue, before who told it goes on.
        observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }

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

#if canImport(UIKit)
/// Time that the system grants an application in the background for something that should not be cut off (S082, X145).
///
/// ```swift
/// let time = BackgroundTime("Pictures of the open article") { task.cancel() }
/// _ = try await task.response
/// time.end()
/// ```
@MainActor
public final class BackgroundTime {
    private var identifier = UIBackgroundTaskIdentifier.invalid

    /// Asks for time. When it runs out before `end()`, `expired` is called and has to stop what is under way at once.
    public init(_ name: String, expired: @escaping @MainActor () -> Void = {}) {
        identifier = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
            // The system calls it on the main thread.
            MainActor.assumeIsolated {
                expired()
                self?.end()
            }
        }
    }

    /// Gives the rest of the time back. Twice is harmless.
    public func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
    }
}
#endif
#endif
