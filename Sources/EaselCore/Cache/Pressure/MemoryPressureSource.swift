/// Something that tells when memory gets short: the kernel's accounts on Linux, notices of the application's platform, a test.
///
/// A `MemoryPressureMonitor` calls `start` and `stop` in turn, never two of them at a time.
public protocol MemoryPressureSource: Sendable {
    /// Begins to call `report`, from any thread, each time that memory is short.
    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void)

    /// Stops calling `report`, though a call that is under way may still come, and gives back what watching took.
    func stop()
}
