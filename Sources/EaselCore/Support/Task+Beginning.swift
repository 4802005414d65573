extension Task where Success == Void, Failure == Never {
    /// A task of this priority among the steps of loads whose body begins on the thread of the caller, where that is one for them and the system
    /// can do that: its caller need not wake another thread, to be woken by it in turn.
    static func onThisThread(
        priority: TaskPriority, _ body: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: WorkerPool.loads, priority: priority, operation: body)
        }
        return Task.immediate(priority: priority, executorPreference: WorkerPool.loads, operation: body)
    }
}
