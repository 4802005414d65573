import CGTK
import EaselGTK
import Foundation

/// A measurement: shows a window, performs the actions of its kind, and reports times.
@MainActor
final class BenchRun {
    enum Kind: String {
        /// Shows the first screen.
        case cold
        /// Shows all screens in order.
        case all
        /// Scrolls at 2,000 points per second, twice.
        case scroll
        /// Plays animations.
        case gifs
        /// Sets images that are in memory.
        case hits
    }

    private static let speed = 2_000.0
    private static let scrollTime = 4.0

    private let kind: Kind
    private let urls: [URL]
    private let manager: ImageManager
    private let grid: BenchGrid
    /// Continuations for the next drawn frame.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// The times of drawn frames, while a pass is measured.
    private var frames: [Double] = []

    init(_ kind: Kind, origin: String, set: String, cache: String) {
        self.kind = kind
        let names =
            kind == .gifs
            ? (0..<50).map { String(format: "gif/%02d.gif", $0) }
            : (0..<600).map { String(format: "\(set)/%03d.jpg", $0) }
        urls = names.compactMap { URL(string: "\(origin)/\($0)") }
        // The same number of connections as the peer.
        let downloader = ImageDownloader { $0.concurrentTransfersPerHost = 8 }
        let manager = ImageManager {
            // All images at cell size, as in the peer.
            let folder = cache.isEmpty ? nil : URL(filePath: cache)
            $0.cache = ImageCache(folder: folder) { $0.memory.maximumBytes = ByteCount(48 << 20) }
            $0.loader = downloader
            // Two per connection: more files waiting to be decoded take memory without saving time.
            $0.concurrentLoads = 16
        }
        self.manager = manager
        // Only one background, because Cairo draws all of them, even covered ones.
        Style.add(
            "window { background: #FF00FF; }"
                + "gridview, gridview > child { background: none; padding: 0; margin: 0; border-radius: 0; }")
        grid = BenchGrid(urls, height: kind == .gifs ? 840 : 720, manager: manager)
    }

    /// Shows the window and starts the measurement.
    func begin() {
        BenchReport.write("start")
        gtk_window_present(grid.window.window)
        Task { await run() }
    }

    /// Runs the measurement. The window stays open.
    private func run() async {
        if let clock = grid.clock { connect(clock, "after-paint") { [self] in didPaint() } }
        await complete()
        await frame()
        BenchReport.write("first_screen")
        switch kind {
        case .cold, .gifs: break
        case .all: await showAll()
        case .hits: await setHits()
        case .scroll:
            await pause(1)
            for number in 1...2 { await scroll(number) }
        }
        BenchReport.write("done")
    }

    // MARK: - Measurements

    private func showAll() async {
        while grid.position < grid.end {
            grid.position = min(grid.position + 720, grid.end)
            await complete(frames: 2)
        }
        BenchReport.write("all_loaded")
    }

    private func scroll(_ number: Int) async {
        // Keeps the frame clock running, as GTK's own scrolling does. Single frame requests would restart it each time.
        let clock = grid.clock
        if let clock { gdk_frame_clock_begin_updating(clock) }
        let start = BenchReport.now
        frames = []
        while BenchReport.now - start < Self.scrollTime {
            grid.position = min((BenchReport.now - start) * Self.speed, grid.end)
            await frame()
        }
        if let clock { gdk_frame_clock_end_updating(clock) }
        BenchReport.writePass(number, from: start, to: BenchReport.now, frames: frames)
        await complete()
        await frame()
        BenchReport.write("settled", at: BenchReport.now, ", \"n\": \(number)")
        await pause(1)
        grid.position = 0
        await pause(1.5)
    }

    /// Measures the main thread's time per image that is set from memory. Sets the images of the first screen, each in
    /// the next cell.
    private func setHits() async {
        let rounds = 200
        var used = 0.0
        for round in 1...rounds {
            let before = BenchReport.threadTime
            grid.shift(by: round, manager: manager)
            used += BenchReport.threadTime - before
            await frame()
        }
        BenchReport.write("hits", ", \"microseconds\": \(used * 1e6 / Double(rounds * grid.screen))")
    }

    // MARK: - Frames

    /// Waits until all visible cells have been complete for this number of frames.
    private func complete(frames count: Int = 1) async {
        var seen = 0
        var patience = BenchReport.now + 10
        while seen < count {
            await frame()
            seen = grid.isComplete ? seen + 1 : 0
            guard BenchReport.now > patience else { continue }
            BenchReport.write("blank", ", \"cells\": \"\(grid.blanks)\"")
            patience = .infinity
        }
    }

    /// Waits until the next frame has been drawn.
    private func frame() async {
        guard let clock = grid.clock else { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        }
    }

    private func didPaint() {
        frames.append(BenchReport.now)
        // At idle priority, as in the peer: loaded images are shown first.
        g_idle_add_full(
            G_PRIORITY_DEFAULT_IDLE,
            { data in
                guard let data else { return 0 }
                nonisolated(unsafe) let run = Unmanaged<BenchRun>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { run.resumeWaiting() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<BenchRun>.fromOpaque(data).release()
            })
    }

    private func resumeWaiting() {
        for continuation in exchange(&waiting, with: []) { continuation.resume() }
    }

    private func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}
