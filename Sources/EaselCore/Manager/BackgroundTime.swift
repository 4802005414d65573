/// Asks the platform to let an application run on for a while after it has left the screen (S082, R035).
///
/// On iOS it is `beginBackgroundTask` and `endBackgroundTask` of `UIApplication`.
public protocol BackgroundTime: Sendable {
    /// Begins to need time, and returns what ends that; it is called once.
    ///
    /// - Parameter expired: to be called when the platform grants no more. From any thread, also before `begin` returns.
    func begin(_ expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension BackgroundTime {
    /// Needs time until a load ends, and cancels it where there is no more (X145).
    func cover(_ task: ImageTask) {
        let end = begin { [weak task] in task?.cancel() }
        task.observeEnd { _ in end() }
    }
}
