import Foundation

/// Easel's views in the gallery compared with a simple loader for GTK 4, on a private display, measured by its pixels,
/// with each of GTK's renderers.
enum ViewGroup {
    static let name = "view"

    @Sendable static func works() async throws -> [Work] {
        do {
            let field = try ViewField()
            return ViewRenderer.allCases.flatMap { renderer in
                ViewScenario.all.flatMap { scenario in
                    scenario.figures.map { work($0, of: scenario, drawnBy: renderer, in: field) }
                }
            }
        } catch let missing as MissingPeer {
            Absence.report("no group \(name): \(missing)")
            return []
        }
    }

    private static func work(
        _ figure: ViewScenario.Figure, of scenario: ViewScenario, drawnBy renderer: ViewRenderer, in field: ViewField
    ) -> Work {
        func contestant(_ gallery: ViewGallery) -> Contestant {
            // Each run gives all figures; the first figure of a round runs it.
            var round = 0
            return Contestant(
                gallery.name,
                .counted {
                    defer { round += 1 }
                    return figure.value(try gallery.run(scenario, drawnBy: renderer, round, in: field))
                })
        }
        return Work(
            group: name, name: "\(scenario.name), \(renderer.name): \(figure.name)", unit: figure.unit,
            maximumRounds: Scale.pick(scenario.maximumRounds, quick: 1),
            ours: contestant(field.ours), peers: [contestant(field.naiveGallery)])
    }
}

/// A measured use of a gallery, with its figures.
struct ViewScenario {
    struct Figure {
        var name: String
        var unit = Work.Unit.nanoseconds
        var value: (ViewRun) -> Double

        /// Returns a duration, from seconds of a run.
        static func time(_ name: String, _ seconds: @escaping (ViewRun) -> Double) -> Figure {
            Figure(name: name) { seconds($0) * 1e9 }
        }
    }

    var name: String
    var kind: ViewRun.Kind
    var set = ViewFiles.Photographs.baseline
    /// Whether the origin is 40 ms away.
    var isFar = false
    /// Whether the images are on disk, if the gallery stores any.
    var isWarm = false
    /// Whether Easel stores the images on disk. The simple loader has no disk cache.
    var hasDiskCache = true
    /// Whether another process uses one processor all the time.
    var isBusy = false
    /// Fewer for scenarios of ten seconds and more.
    var maximumRounds = 5
    var figures: [Figure]

    static var all: [ViewScenario] {
        [
            ViewScenario(
                name: "48 cells", kind: .cold,
                figures: [
                    .time("from the first request") { $0.load }, .time("from the start") { $0.start },
                    // 48 requests are needed.
                    Figure(name: "requests that were needed", unit: .percent) { 4_800 / $0.requestsOfScreen },
                ]),
            ViewScenario(
                name: "48 progressive", kind: .cold, set: .progressive,
                figures: [.time("from the first request") { $0.load }]),
            ViewScenario(
                name: "48 from 40 ms away", kind: .cold, isFar: true,
                figures: [.time("from the first request") { $0.load }]),
            ViewScenario(
                name: "48 from disk", kind: .cold, isWarm: true, figures: [.time("from the start") { $0.start }]),
            ViewScenario(
                name: "all 600", kind: .all,
                figures: [
                    .time("time") { $0.allPages }, .time("processor time") { $0.processorTime },
                    Figure(name: "peak memory", unit: .bytes) { $0.peakMemory },
                ]),
            ViewScenario(
                name: "all 600, no disk cache", kind: .all, hasDiskCache: false, maximumRounds: 3,
                figures: [.time("time") { $0.allPages }, .time("processor time") { $0.processorTime }]),
            ViewScenario(
                name: "all 600, one processor busy", kind: .all, isBusy: true, maximumRounds: 3,
                figures: [.time("time") { $0.allPages }, .time("processor time") { $0.processorTime }]),
            ViewScenario(
                name: "scroll, one processor busy", kind: .scroll, isBusy: true, maximumRounds: 2,
                figures: [
                    .time("longest interval, cold") { $0.intervals.first?.max() ?? .infinity },
                    Figure(name: "frames in time, cold", unit: .percent) { $0.framesInTime(ofPass: 0) },
                    Figure(name: "cells with an image", unit: .percent) { $0.shown * 100 },
                ]),
            ViewScenario(
                name: "scroll", kind: .scroll, maximumRounds: 2,
                figures: [
                    Figure(name: "frames in time, cold", unit: .percent) { $0.framesInTime(ofPass: 0) },
                    Figure(name: "frames in time, cached", unit: .percent) { $0.framesInTime(ofPass: 1) },
                    .time("longest interval, cold") { $0.intervals.first?.max() ?? .infinity },
                    .time("longest interval, cached") { $0.intervals.last?.max() ?? .infinity },
                    Figure(name: "cells with an image", unit: .percent) { $0.shown * 100 },
                    Figure(name: "requests that were needed", unit: .percent) {
                        100 * ($0.requests - $0.repeatedRequests) / $0.requests
                    },
                ]),
            ViewScenario(
                name: "50 animations, 10 s", kind: .gifs, maximumRounds: 2,
                figures: [
                    .time("processor time") { $0.processorTime },
                    Figure(name: "peak memory", unit: .bytes) { $0.peakMemory },
                ]),
        ]
    }
}

/// The display, the origins and the galleries.
final class ViewField {
    let origin: ViewOrigin
    let farOrigin: FarOrigin
    let watcher: ViewWatcher
    let ours: ViewGallery
    let naiveGallery: ViewGallery

    init() throws {
        guard let python = Tool.find("python3") else {
            throw MissingPeer(name: "Python", reason: "it has to be there.")
        }
        do {
            try Tool.run(python, "-c", "import gi; gi.require_version('Gtk', '4.0'); gi.require_version('Soup', '3.0')")
        } catch {
            throw MissingPeer(
                name: "GTK, naive", reason: "it needs Debian's python3-gi, gir1.2-gtk-4.0 and gir1.2-soup-3.0.")
        }
        ours = ViewGallery("Easel", [try Self.gallery()])
        naiveGallery = ViewGallery("GTK, naive", [python, try Self.script("naive-gtk-loader")])
        origin = try ViewOrigin(serving: try ViewFiles.folder())
        farOrigin = try FarOrigin([python, try Self.script("far-origin")], of: origin)
        watcher = ViewWatcher(try VirtualDisplay(), origin)
    }

    /// Returns the path of the gallery of Examples/, which is built with this program, or of `EASEL_BENCH_GALLERY`.
    private static func gallery() throws -> String {
        if let path = ProcessInfo.processInfo.environment["EASEL_BENCH_GALLERY"] { return path }
        guard let program = Bundle.main.executableURL else {
            throw MissingPeer(name: "gallery", reason: "the path of this program is unknown.")
        }
        return program.deletingLastPathComponent().appending(path: "gallery").path
    }

    private static func script(_ name: String) throws -> String {
        guard let path = Bundle.module.path(forResource: name, ofType: "py") else {
            throw MissingPeer(name: name, reason: "its script is not there.")
        }
        return path
    }
}

/// A gallery and the results of its runs.
final class ViewGallery {
    let name: String
    private let command: [String]
    private var runs: [String: [ViewRun]] = [:]

    init(_ name: String, _ command: [String]) {
        self.name = name
        self.command = command
    }

    /// Returns the run of a round.
    func run(
        _ scenario: ViewScenario, drawnBy renderer: ViewRenderer, _ round: Int, in field: ViewField
    ) throws -> ViewRun {
        let key = "\(scenario.name), \(renderer.name)"
        while runs[key, default: []].count <= round {
            runs[key, default: []].append(try measured(scenario, drawnBy: renderer, in: field))
        }
        return runs[key, default: []][round]
    }

    private func measured(
        _ scenario: ViewScenario, drawnBy renderer: ViewRenderer, in field: ViewField
    ) throws -> ViewRun {
        let cache = scenario.hasDiskCache ? try ScratchFolder.make("view-cache") : ""
        let busy = scenario.isBusy ? try TiedProcess(["/bin/sh", "-c", "while :; do :; done"]) : nil
        defer { withExtendedLifetime(busy) {} }
        func run() throws -> ViewRun {
            try field.watcher.run(
                command, scenario.kind, from: scenario.isFar ? field.farOrigin.url : nil, set: "\(scenario.set)",
                cache: cache, drawnBy: renderer)
        }
        if scenario.isWarm { _ = try run() }
        return try run()
    }
}
