import CEaselSystem
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The life of the thread that waits for the kernel's word.
///
/// `@unchecked Sendable` is sound: it is made by one thread and handed to another, which alone uses it from then on.
final class PressureLoop: @unchecked Sendable {
    /// A descriptor with news, and what they mean.
    private struct Watch {
        enum Kind {
            case stop
            /// A trigger that the kernel has taken.
            case stall(MemoryPressure)
            /// Somebody else's word, in bytes that mean nothing.
            case notice
            /// Changes of the files of control groups.
            case groups
        }

        var descriptor: Int32
        var kind: Kind

        /// What `poll` is asked for.
        var events: Int16 {
            if case .stall = kind { Int16(POLLPRI) } else { Int16(POLLIN) }
        }
    }

    private let places: () -> PressurePlaces
    private let report: (MemoryPressure) -> Void
    private var watches: [Watch]
    private var groups: [String: GroupMemory] = [:]
    private var filter = PressureFilter()
    private let start = ContinuousClock.now

    /// - Parameter stop: a descriptor that is closed in the end; until it has news or its other side goes, the loop runs.
    init(
        stop: Int32, places: @escaping () -> PressurePlaces, report: @escaping (MemoryPressure) -> Void
    ) {
        watches = [Watch(descriptor: stop, kind: .stop)]
        self.places = places
        self.report = report
    }

    deinit {
        for watch in watches { close(watch.descriptor) }
    }

    /// Waits and reports until it is told to stop, or until there is nothing left to watch.
    func run() {
        watch(places())
        while watches.count > 1 {
            var polled = watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || SystemError.last.isInterrupted else { return }
            for (watch, result) in zip(watches, polled) where result.revents != 0 {
                if case .stop = watch.kind { return }
                // Its control group is gone: it would never be quiet again.
                let isOver = Int32(result.revents) & (POLLERR | POLLNVAL) != 0
                if isOver { forget(watch) } else { heard(watch) }
            }
        }
    }

    // MARK: - What to watch

    private func watch(_ places: PressurePlaces) {
        for path in places.stallFiles { watchStalls(path) }
        if watches.count == 1 { watchGroups(places.groups) }
    }

    /// A trigger belongs to a descriptor, so that each level takes one of its own.
    private func watchStalls(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFIFO {
            // Opened to be written too, lest it end with each writer.
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

    // MARK: - What was heard

    private func heard(_ watch: Watch) {
        switch watch.kind {
        case .stop: break
        case .stall(let pressure): tell(pressure)
        case .notice:
            drain(watch.descriptor)
            tell(.warning)
        case .groups:
            drain(watch.descriptor)
            for (folder, before) in groups {
                guard let now = memory(of: folder) else { continue }
                groups[folder] = now
                if let pressure = now.pressure(since: before) { tell(pressure) }
            }
        }
    }

    private func tell(_ pressure: MemoryPressure) {
        if filter.admits(pressure, at: .now - start) { report(pressure) }
    }

    private func forget(_ watch: Watch) {
        watches.removeAll { $0.descriptor == watch.descriptor }
        close(watch.descriptor)
    }

    private func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while systemRead(descriptor, &bytes, bytes.count) > 0 {}
    }

    private func memory(of folder: String) -> GroupMemory? {
        GroupMemory { name in
            (try? readFile(folder + "/" + name, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
