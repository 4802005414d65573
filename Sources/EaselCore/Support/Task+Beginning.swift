extension Task where Failure == Never {
    /// Creates a task on the threads of loads whose operation begins on the calling thread, where the system can do that. The
    /// caller then need not wake another thread.
    static func immediately(
        priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Success
    ) -> Task<Success, Never> {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task(executorPreference: WorkerPool.loads, priority: priority, operation: operation)
        }
        return Task.immediate(priority: priority, executorPreference: WorkerPool.loads, operation: operation)
    }
}
