#if canImport(UIKit) || canImport(AppKit)
import EaselCore
import Dispatch
import Synchronization

/// What the kernel tells an application of the memory of the device, on all of Apple's platforms.
final class DispatchMemoryPressure: MemoryPressureSource {
    /// Sound, because sources of Dispatch may be used from any thread; it is not said of their protocol everywhere.
    private struct Source: @unchecked Sendable {
        let source: any DispatchSourceProtocol
    }

    private let sources = Mutex<[Source]>([])

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        // One for each, so that no handler has to ask its own source what happened.
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
