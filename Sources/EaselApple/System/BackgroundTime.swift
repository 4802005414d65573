#if canImport(UIKit)
import UIKit

/// Time that the system grants an application in the background for something that should not be cut off.
///
/// ```swift
/// let time = BackgroundTime("Images of the open article") { task.cancel() }
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
