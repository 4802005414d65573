extension Task where Success == Void, Failure == Never {
    /// A task whose body begins on the thread of the caller, where the system can do that, and goes on with the steps of
    /// loads from where it first waits: its caller need not wake another thread, to be woken by it in turn.
    static func onThisThread(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: WorkerPool.loads, operation: body)
        }
        return Task.immediate(executorPreference: WorkerPool.loads, operation: body)
    }
}
