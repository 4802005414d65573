#if canImport(UIKit) || canImport(AppKit)
import EaselCore
import Dispatch
import Synchronization

/// Memory pressure events of the kernel, on all Apple platforms.
final class DispatchMemoryPressure: MemoryPressureSource {
    /// Sound because Dispatch sources are thread-safe, although not every SDK declares it.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceProtocol
    }

    private let sources = Mutex<[Source]>([])

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        // One source per level, so that no handler has to query its source.
        let warning = DispatchSource.makeMemoryPressureSource(eventMask: .warning, queue: .global(qos: .utility))
        warning.setEventHandler { report(.warning) }
        warning.activate()
        let critical = DispatchSource.makeMemoryPressureSource(eventMask: .critical, queue: .global(qos: .utility))
        critical.setEventHandler { report(.critical) }
        critical.activate()
        let both = [Source(source: warning), Source(source: critical)]
        sources.withLock { $0 = both }
    }

    func stop() {
        for source in sources.withLock({ exchange(&$0, with: []) }) { source.source.cancel() }
    }
}
#endif
