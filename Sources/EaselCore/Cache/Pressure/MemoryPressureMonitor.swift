import Synchronization

/// The severity of a memory shortage, which determines the share of their contents that caches keep.
public enum MemoryPressure: Sendable, Hashable, CaseIterable {
    /// The application is not visible: half is kept.
    case background
    /// Memory is getting short: a quarter is kept.
    case warning
    /// Memory is short, and the system may end processes: nothing is kept.
    case critical

    /// The share of its contents that a cache keeps, at most one half.
    package var keptShare: Double {
        switch self {
        case .background: 0.5
        case .warning: 0.25
        case .critical: 0
        }
    }
}

/// A source of reports that memory is short: the kernel on Linux, notifications of the application's platform, a test.
///
/// A `MemoryPressureMonitor` calls `start` and `stop` in turn, never two of them at a time.
package protocol MemoryPressureSource: Sendable {
    /// Begins to call `report`, from any thread, each time that memory is short.
    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void)

    /// Stops calling `report`, and releases all resources. A call in progress may still arrive.
    func stop()
}

/// A monitor that reports to all caches of a process when memory gets short.
///
/// Its source runs only while there are observers: the first observation starts it and the end of the last one stops
/// it.
public final class MemoryPressureMonitor: Sendable {
    /// The monitor of the system: on Linux it watches how long tasks wait for memory, on the machine and in the control
    /// group of the process. On other systems it only passes on the calls of `report`.
    public static let system = MemoryPressureMonitor(SystemMemoryPressure())

    private typealias Handler = @Sendable (MemoryPressure) -> Void

    private struct State {
        var handlers: [(number: Int, handler: Handler)] = []
        var lastNumber = 0
        var isRunning = false
        /// Whether a thread is starting or stopping the source.
        var isChanging = false

        /// Returns whether to start or to stop the source now; `nil` for neither.
        mutating func beginChange() -> Bool? {
            guard !isChanging, isRunning == handlers.isEmpty else { return nil }
            isChanging = true
            isRunning.toggle()
            return isRunning
        }
    }

    private let source: (any MemoryPressureSource)?
    private let state = Mutex(State())

    /// Creates a monitor that passes on the calls of `report`, for example from a notification of the platform.
    public init() {
        source = nil
    }

    /// Creates a monitor of a source, which also passes on the calls of `report`.
    package init(_ source: any MemoryPressureSource) {
        self.source = source
    }

    /// Calls `handler` at each report, on any thread, for as long as the returned observation exists. A report that is
    /// under way when it ends may still arrive.
    package func observe(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.handlers.append((state.lastNumber, handler))
            return state.lastNumber
        }
        updateSource()
        return MemoryPressureObservation { [self] in
            state.withLock { state in state.handlers.removeAll { $0.number == number } }
            updateSource()
        }
    }

    /// Reports pressure to all caches of this monitor, for example that the application is no longer visible.
    public func report(_ pressure: MemoryPressure) {
        for handler in state.withLock({ $0.handlers.map(\.handler) }) { handler(pressure) }
    }

    /// Starts or stops the source, outside the lock, until it runs exactly if there are observers.
    ///
    /// One thread does so at a time, so that a start does not overtake a stop. A change by another thread is left to
    /// it.
    private func updateSource() {
        while let isStart = state.withLock({ $0.beginChange() }) {
            if isStart {
                source?.start { [weak self] in self?.report($0) }
            } else {
                source?.stop()
            }
            state.withLock { $0.isChanging = false }
        }
    }
}

/// An observation of a `MemoryPressureMonitor`. It ends when this object is released.
package final class MemoryPressureObservation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}
