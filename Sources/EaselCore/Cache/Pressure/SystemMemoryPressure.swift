import CEaselSystem
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory pressure as Linux reports it: how long tasks wait for memory (pressure stall information), or else the counters of
/// the control group.
///
/// One thread sleeps in `poll` until the kernel reports something. It ends, and closes every descriptor, when watching stops,
/// and at once where the system reports nothing.
final class SystemMemoryPressure: MemoryPressureSource {
    private let places: @Sendable () -> PressurePlaces
    /// The writing end of a pipe that the thread polls. Closing it stops the thread.
    private let stopPipe = Mutex<Int32?>(nil)

    init(places: @escaping @Sendable () -> PressurePlaces = { .ofSystem() }) {
        self.places = places
    }

    deinit { stop() }

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard easel_pipe_open(&reading, &writing) == 0 else { return }
        let isStarted = SystemThread.start("easel-pressure") { [places, reading] in
            PressureLoop(stop: reading, report: report).run(places())
        }
        // Without a thread nothing is watched, and the caches keep to their limits all the same.
        if !isStarted { close(reading) }
        let before = stopPipe.withLock { [writing] in exchange(&$0, with: writing) }
        if let before { close(before) }
    }

    func stop() {
        if let pipe = stopPipe.withLock({ $0.take() }) { close(pipe) }
    }
}

/// What the thread does: it watches the files and passes on what they report.
private final class PressureLoop {
    private struct Watch {
        enum Kind {
            /// The pipe that ends the loop.
            case stop
            /// A trigger that the kernel has accepted.
            case stall(MemoryPressure)
            /// A pipe or socket of a service manager; its bytes have no meaning.
            case notice
            /// Changes of the files of control groups.
            case groups
        }

        var descriptor: Int32
        var kind: Kind

        var events: Int16 {
            if case .stall = kind { Int16(POLLPRI) } else { Int16(POLLIN) }
        }
    }

    private let report: (MemoryPressure) -> Void
    private var watches: [Watch]
    private var groups: [String: GroupMemory] = [:]
    private var filter = PressureFilter()
    private let start = ContinuousClock.now

    /// - Parameter stop: a descriptor that ends the loop once it can be read or its other side is closed. The loop closes it.
    init(stop: Int32, report: @escaping (MemoryPressure) -> Void) {
        watches = [Watch(descriptor: stop, kind: .stop)]
        self.report = report
    }

    deinit {
        for watch in watches { close(watch.descriptor) }
    }

    /// Waits and reports until it is stopped, or until there is nothing left to watch.
    func run(_ places: PressurePlaces) {
        for path in places.stallFiles { watchStalls(path) }
        if watches.count == 1 { watchGroups(places.groups) }
        while watches.count > 1 {
            var polled = watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || SystemError.last.isInterrupted else { return }
            for (watch, result) in zip(watches, polled) where result.revents != 0 {
                if case .stop = watch.kind { return }
                if Int32(result.revents) & (POLLERR | POLLNVAL) != 0 {
                    // Its control group is gone, and it would poll like this for ever.
                    watches.removeAll { $0.descriptor == watch.descriptor }
                    close(watch.descriptor)
                } else {
                    handle(watch)
                }
            }
        }
    }

    /// A trigger belongs to a descriptor, so each level opens one of its own.
    private func watchStalls(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFIFO {
            // Opened for writing too, so that it does not end with each writer.
            let pipe = systemOpen(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            if pipe >= 0 { watches.append(Watch(descriptor: pipe, kind: .notice)) }
            return
        }
        for trigger in StallTrigger.all {
            guard let file = trigger.open(path) else { continue }
            watches.append(Watch(descriptor: file, kind: .stall(trigger.pressure)))
        }
    }

    private func watchGroups(_ folders: [String]) {
        let changes = easel_changes_open()
        guard changes >= 0 else { return }
        for folder in folders where easel_changes_add(changes, folder + "/memory.events") == 0 {
            groups[folder] = memory(of: folder)
        }
        if groups.isEmpty {
            close(changes)
        } else {
            watches.append(Watch(descriptor: changes, kind: .groups))
        }
    }

    private func handle(_ watch: Watch) {
        switch watch.kind {
        case .stop: break
        case .stall(let pressure): pass(pressure)
        case .notice:
            drain(watch.descriptor)
            pass(.warning)
        case .groups:
            drain(watch.descriptor)
            for (folder, before) in groups {
                guard let now = memory(of: folder) else { continue }
                groups[folder] = now
                if let pressure = now.pressure(since: before) { pass(pressure) }
            }
        }
    }

    private func pass(_ pressure: MemoryPressure) {
        if filter.admits(pressure, at: .now - start) { report(pressure) }
    }

    private func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while systemRead(descriptor, &bytes, bytes.count) > 0 {}
    }

    private func memory(of folder: String) -> GroupMemory? {
        GroupMemory { ControlGroups.text(of: folder + "/" + $0) }
    }
}
