import Foundation

/// The results of one run of a gallery, observed from outside.
struct ViewRun {
    enum Kind: String {
        case cold, all, scroll, gifs
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Seconds from the start of the process to the last change of the first screen.
    var start = 0.0
    /// Seconds from the first request to the last change of the first screen.
    var load = 0.0
    /// The number of requests until then.
    var requestsOfScreen = 0.0
    /// Seconds from the window to the end of all pages.
    var allPages = 0.0
    /// Seconds of processor time: of the whole process, or of the ten seconds of playing animations.
    var processorTime = 0.0
    /// In bytes.
    var peakMemory = 0.0
    var requests = 0.0
    /// The number of images that were requested more than once.
    var repeatedRequests = 0.0
    /// The seconds between frames, for each pass.
    var intervals: [[Double]] = []
    /// The share of cells that showed an image during scrolling.
    var shown = 1.0

    /// Returns the percentage of a pass's frames that came within 25 ms of the previous one, without missing a refresh.
    func framesInTime(ofPass pass: Int) -> Double {
        guard intervals.indices.contains(pass), !intervals[pass].isEmpty else { return 0 }
        // Includes the missing frames.
        let expected = intervals[pass].reduce(0, +) * 60
        return 100 * min(Double(intervals[pass].count { $0 < 0.025 }) / expected, 1)
    }
}

/// Runs galleries one at a time and observes them.
final class ViewWatcher {
    private let display: VirtualDisplay
    private let origin: ViewOrigin

    init(_ display: VirtualDisplay, _ origin: ViewOrigin) {
        self.display = display
        self.origin = origin
    }

    /// Runs a gallery to its end.
    ///
    /// - Parameters:
    ///   - command: The command, without the measurement's arguments.
    ///   - url: The origin of the images.
    ///   - cache: The gallery's cache folder. Empty for none.
    ///   - renderer: The renderer of GTK.
    func run(
        _ command: [String], _ kind: ViewRun.Kind, from url: String? = nil, set: String, cache: String,
        drawnBy renderer: ViewRenderer
    ) throws -> ViewRun {
        origin.beginRun()
        let arguments = ["--bench", kind.rawValue, "--origin", url ?? origin.url, "--set", set, "--cache", cache]
        let process = try ViewProcess(command + arguments, on: display, drawnBy: renderer)
        defer { process.end() }
        var watch = Watch(rows: kind == .gifs ? 7 : 6)
        while !watch.isDone { try check(process, &watch) }
        var run = ViewRun()
        run.processorTime = process.processorTime
        if kind == .gifs {
            run.processorTime = try pass(10, process, &watch)
        } else if kind == .cold {
            // Includes refinements after the report.
            _ = try pass(0.4, process, &watch)
        }
        fill(&run, watch, process.started)
        return run
    }

    /// The observations so far.
    private struct Watch {
        let rows: Int
        var events: [ViewEvent] = []
        /// The last time at which the cells of the first screen changed.
        var changed = 0.0
        var sum: UInt64 = 0
        var nextMemory = 0.0
        var peakMemory = 0.0
        var shown = (complete: 0, total: 0)
        let start = Date().timeIntervalSince1970

        init(rows: Int) { self.rows = rows }

        var isDone: Bool { has("done") }

        func has(_ event: String) -> Bool { events.contains { $0.event == event } }
        func time(of event: String) -> Double? { events.first { $0.event == event }?.t }
    }

    private func check(_ process: ViewProcess, _ watch: inout Watch) throws {
        let now = Date().timeIntervalSince1970
        watch.events += try process.events()
        guard process.isRunning, now - watch.start < 60 else {
            throw ViewRun.Failure(description: "It ended before it was done, or has hung since \(watch.events).")
        }
        let cells = display.cells(rows: watch.rows)
        if cells.sum != watch.sum {
            watch.sum = cells.sum
            watch.changed = now
        }
        if now >= watch.nextMemory {
            watch.peakMemory = max(watch.peakMemory, process.memory)
            watch.nextMemory = now + 0.1
        }
        if watch.has("first_screen") {
            watch.shown.complete += cells.complete
            watch.shown.total += cells.total
        }
        usleep(2_000)
    }

    /// Observes for a number of seconds, and returns their processor time.
    private func pass(_ seconds: Double, _ process: ViewProcess, _ watch: inout Watch) throws -> Double {
        let (start, used) = (Date().timeIntervalSince1970, process.processorTime)
        while Date().timeIntervalSince1970 - start < seconds { try check(process, &watch) }
        return process.processorTime - used
    }

    private func fill(_ run: inout ViewRun, _ watch: Watch, _ started: Double) {
        let requests = origin.requests
        let screen = watch.changed
        run.start = screen - started
        if let first = requests.first { run.load = screen - first.time }
        run.requestsOfScreen = Double(requests.prefix { $0.time <= screen }.count)
        if let end = watch.time(of: "all_loaded"), let start = watch.time(of: "start") { run.allPages = end - start }
        run.peakMemory = watch.peakMemory
        run.requests = Double(requests.count)
        run.repeatedRequests = Double(requests.count - Set(requests.map(\.path)).count)
        run.intervals = watch.events.compactMap(\.frames).map { frames in
            zip(frames.dropFirst(), frames).map { $0 - $1 }
        }
        run.shown = Double(watch.shown.complete) / Double(max(watch.shown.total, 1))
    }
}
