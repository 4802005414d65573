import CGTK
import EaselGTK
import Foundation

/// One measurement: shows a window, does what its kind says, and reports when.
@MainActor
final class BenchRun {
    enum Kind: String {
        /// Shows the first screen.
        case cold
        /// Shows one screen after the other.
        case all
        /// Scrolls at 2,000 points a second, twice.
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
    /// Who waits for the next frame to have been drawn.
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// When frames were drawn, while a pass is measured.
    private var frames: [Double] = []

    init(_ kind: Kind, origin: String, set: String, cache: String) {
        self.kind = kind
        let names =
            kind == .gifs
            ? (0..<50).map { String(format: "gif/%02d.gif", $0) }
            : (0..<600).map { String(format: "\(set)/%03d.jpg", $0) }
        urls = names.compactMap { URL(string: "\(origin)/\($0)") }
        // As many connections as the loader has that it is measured against.
        let downloader = ImageDownloader { $0.concurrentTransfersPerHost = 8 }
        let manager = ImageManager {
            // All images at the cells' size, which the loader that it is measured against keeps too.
            $0.cache = ImageCache(folder: cache) { $0.memory.maximumBytes = 48 << 20 }
            $0.loader = downloader
            // Two a connection: files that have come and wait to be decoded take memory, and save no time.
            $0.concurrentLoads = 16
        }
        self.manager = manager
        // One background: of several behind each other Cairo draws all, whatever covers them.
        Style.add(
            "window { background: #FF00FF; }"
                + "gridview, gridview > child { background: none; padding: 0; margin: 0; border-radius: 0; }")
        grid = BenchGrid(urls, height: kind == .gifs ? 840 : 720, manager: manager)
    }

    /// Shows the window, and measures.
    func begin() {
        BenchReport.write("start")
        gtk_window_present(grid.window.window)
        Task { await run() }
    }

    /// Runs, and then leaves the window as it is.
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

    // MARK: - What is measured

    private func showAll() async {
        while grid.position < grid.end {
            grid.position = min(grid.position + 720, grid.end)
            await complete(frames: 2)
        }
        BenchReport.write("all_loaded")
    }

    private func scroll(_ number: Int) async {
        // As GTK's own scrolling does: the clock runs on, where frames asked for one by one would start it each time.
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

    /// How much of the main thread's time setting an image takes that is in memory: the images of the first screen, each in
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

    /// Returns when all cells that are seen have been complete for as many frames.
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

    /// Returns when the next frame has been drawn.
    private func frame() async {
        guard let clock = grid.clock else { return }
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
        }
    }

    private func didPaint() {
        frames.append(BenchReport.now)
        // When there is nothing else to do, as in the loader that it is measured against: images that have come are shown first.
        g_idle_add_full(
            G_PRIORITY_DEFAULT_IDLE,
            { data in
                guard let data else { return 0 }
                nonisolated(unsafe) let run = Unmanaged<BenchRun>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { run.goOn() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<BenchRun>.fromOpaque(data).release()
            })
    }

    private func goOn() {
        for continuation in exchange(&waiting, with: []) { continuation.resume() }
    }

    private func pause(_ seconds: Double) async { try? await Task.sleep(for: .seconds(seconds)) }
}
