import Synchronization

/// Tells all caches of a process when memory gets short (R007, B14).
///
/// Its source runs only while somebody observes: the first observation starts it and the end of the last one stops it.
public final class MemoryPressureMonitor: Sendable {
    /// Watches the accounts of the system: on Linux how long tasks wait for memory, of the machine and of the process's
    /// control group. Elsewhere it knows what it is told by `report`.
    public static let system = MemoryPressureMonitor(SystemMemoryPressure())

    private typealias Handler = @Sendable (MemoryPressure) -> Void
    private let source: (any MemoryPressureSource)?
    private let observers = Mutex(PressureObservers<Handler>())

    /// A monitor of this source, or one that knows only what it is told.
    public init(_ source: (any MemoryPressureSource)? = nil) {
        self.source = source
    }

    /// Calls `handler` at each report, on whatever thread it comes, for as long as what is returned is kept. A report that is
    /// under way when that ends may still arrive.
    public func observe(
        _ handler: @escaping @Sendable (MemoryPressure) -> Void
    ) -> MemoryPressureObservation {
        let number = observers.withLock { $0.add(handler) }
        settle()
        return MemoryPressureObservation { [self] in
            observers.withLock { $0.remove(number) }
            settle()
        }
    }

    /// Tells everybody who observes: for notices that the source does not know, as when the application goes out of sight.
    public func report(_ pressure: MemoryPressure) {
        for handler in observers.withLock({ $0.handlers }) { handler(pressure) }
    }

    /// Starts or stops the source until that is what the observers need. Whoever comes while another does so leaves it to him.
    private func settle() {
        while let action = observers.withLock({ $0.begin() }) {
            switch action {
            case .start: source?.start { [weak self] in self?.report($0) }
            case .stop: source?.stop()
            }
            observers.withLock { $0.end() }
        }
    }
}

/// Keeps an observation going; it ends when the last reference to this goes.
public final class MemoryPressureObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
