#if canImport(UIKit)
import UIKit

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
