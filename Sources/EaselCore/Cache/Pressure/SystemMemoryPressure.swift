import CEaselSystem
import EaselFoundation
import Synchronization

/// A source of Linux's memory pressure reports, which measure how long tasks wait for memory (pressure stall
/// information).
///
/// One thread sleeps in `poll` until the kernel reports something. It ends, and closes every descriptor, when watching
/// stops, and at once if the system reports nothing.
final class SystemMemoryPressure: MemoryPressureSource {
    private let files: @Sendable () -> PressureFiles
    /// The writing end of a pipe that the thread polls. Closing it stops the thread.
    private let stopPipe = Mutex<Int32?>(nil)

    init(files: @escaping @Sendable () -> PressureFiles = { .ofSystem() }) {
        self.files = files
    }

    deinit { stop() }

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard easel_pipe_open(&reading, &writing) == 0 else { return }
        let isStarted = SystemThread.start("easel-pressure") { [files, reading] in
            PressureLoop(stop: reading, report: report).run(files())
        }
        // Without a thread nothing is watched; the limits of the caches still apply.
        if !isStarted { close(reading) }
        let before = stopPipe.withLock { [writing] in exchange(&$0, with: writing) }
        if let before { close(before) }
    }

    func stop() {
        if let pipe = stopPipe.withLock({ $0.take() }) { close(pipe) }
    }
}

/// The loop of the thread, which watches the files and passes on what they report.
private final class PressureLoop {
    private struct Watch {
        enum Kind {
            case stop
            case stall(MemoryPressure)
            /// A pipe or socket of a service manager; its bytes have no meaning.
            case notice
        }

        var descriptor: Int32
        var kind: Kind

        var events: Int16 {
            if case .stall = kind { Int16(POLLPRI) } else { Int16(POLLIN) }
        }
    }

    private let report: (MemoryPressure) -> Void
    private var watches: [Watch]
    private var filter = PressureFilter()
    private let start = ContinuousClock.now

    /// - Parameter stop: A descriptor that ends the loop once it can be read or its other side is closed. The loop
    ///   closes it.
    init(stop: Int32, report: @escaping (MemoryPressure) -> Void) {
        watches = [Watch(descriptor: stop, kind: .stop)]
        self.report = report
    }

    deinit {
        for watch in watches { close(watch.descriptor) }
    }

    /// Waits and reports until it is stopped or nothing is left to watch.
    func run(_ files: PressureFiles) {
        for path in files.stallFiles { watchStalls(path) }
        while watches.count > 1 {
            var polled = watches.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
            guard poll(&polled, nfds_t(polled.count), -1) >= 0 || SystemError.last.isInterrupted else { return }
            for (watch, result) in zip(watches, polled) where result.revents != 0 {
                if case .stop = watch.kind { return }
                if Int32(result.revents) & (POLLERR | POLLNVAL) != 0 {
                    // Its control group was removed, and it would poll like this forever.
                    watches.removeAll { $0.descriptor == watch.descriptor }
                    close(watch.descriptor)
                } else {
                    handle(watch)
                }
            }
        }
    }

    /// Watches a file of stall information. A trigger belongs to a descriptor, so each level opens another.
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

    private func handle(_ watch: Watch) {
        switch watch.kind {
        case .stop: break
        case .stall(let pressure): pass(pressure)
        case .notice:
            drain(watch.descriptor)
            pass(.warning)
        }
    }

    private func pass(_ pressure: MemoryPressure) {
        if filter.admits(pressure, at: .now - start) { report(pressure) }
    }

    private func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while systemRead(descriptor, &bytes, bytes.count) > 0 {}
    }
}

/// The files in which Linux reports memory pressure. Other systems have none of them.
struct PressureFiles: Equatable {
    /// Files of pressure stall information, of the control group and of the machine. All are watched: the machine's
    /// file does not show that the group reached its limit, nor the group's what other groups take.
    var stallFiles: [String] = []

    /// Returns the files for this process.
    ///
    /// - Parameters:
    ///   - root: Replaces `/`.
    ///   - environment: `MEMORY_PRESSURE_WATCH` is the file that systemd lets this process write, or `/dev/null` to
    ///     watch nothing (systemd's MEMORY_PRESSURE protocol).
    static func ofSystem(
        root: String = "", environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> PressureFiles {
        let override = environment["MEMORY_PRESSURE_WATCH"]
        guard override != "/dev/null" else { return PressureFiles() }
        let text = ControlGroups.text(of: root + "/proc/self/cgroup") ?? ""
        // If both versions are in use, the second has a separate folder.
        let groupFiles = (ControlGroups(text).unified?.paths.last).map { path in
            ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map { root + $0 + path + "/memory.pressure" }
        }
        let files = override.map { [$0] } ?? groupFiles ?? []
        return PressureFiles(stallFiles: files + [root + "/proc/pressure/memory"])
    }
}

/// A text that makes the kernel report when tasks wait too long for memory, written to a file of pressure stall
/// information.
struct StallTrigger {
    let text: String
    let pressure: MemoryPressure

    /// Both at 7 % of the time, like Android's low memory killer. The window is 2 s because an unprivileged process may
    /// use only multiples of that.
    ///
    /// "some": at least one task waits. "full": all tasks wait.
    static let all = [
        StallTrigger(text: "some 140000 2000000", pressure: .warning),
        StallTrigger(text: "full 140000 2000000", pressure: .critical),
    ]

    /// Opens a descriptor that polls as `POLLPRI` at each such stall. Returns `nil` if the file is missing or takes no
    /// trigger.
    func open(_ path: String) -> Int32? {
        let file = systemOpen(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        // With a zero byte: the kernel overwrites the last byte with one.
        let bytes = Array(text.utf8) + [0]
        guard systemWrite(file, bytes, bytes.count) == bytes.count else {
            close(file)
            return nil
        }
        return file
    }
}

/// A filter that drops reports that follow one that was at least as severe within ten seconds.
///
/// The kernel reports every two seconds while pressure lasts. Each time a cache keeps only a share of its contents, so
/// it would be empty before the memory that it released has an effect.
struct PressureFilter {
    static let quiet: Duration = .seconds(10)

    private var last: (pressure: MemoryPressure, time: Duration)?

    /// Returns whether to pass on a report at this time since a fixed moment.
    mutating func admits(_ pressure: MemoryPressure, at now: Duration) -> Bool {
        if let last, now - last.time < Self.quiet, pressure.keptShare >= last.pressure.keptShare { return false }
        last = (pressure, now)
        return true
    }
}
