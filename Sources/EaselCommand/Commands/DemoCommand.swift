#if OriginServer
import ArgumentParser
import Easel
import EaselCore
import EaselTesting
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Load images over HTTP, from memory and from disk, and compare the times.",
        discussion: "Example: easel demo https://example.org/a.png https://example.org/b.jpg")

    @Argument(
        help: ArgumentHelp("The images. Default: samples from a local server.", valueName: "url"))
    var urls: [String] = []

    @OptionGroup var graphics: GraphicsOptions

    func run() async throws {
        guard urls.isEmpty else { return try await demonstrate(urls, requestsAtOrigin: nil) }
        let origin = try await OriginServer.start { $0.serve(folder: Self.sampleFolder) }
        let paths = try Self.sampleNames().map { "/" + $0 }
        try await demonstrate(paths.map { origin.url($0).absoluteString }) {
            paths.map { origin.requests(for: $0).count }
        }
        await origin.stop()
    }

    private static var sampleFolder: String { Bundle.module.bundlePath + "/Samples" }

    private static func sampleNames() throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: sampleFolder) else {
            throw ImageError.unreadable(path: sampleFolder, reason: "the samples are missing next to the command")
        }
        return names.filter { !$0.hasSuffix(".md") && !$0.hasPrefix(".") }.sorted()
    }

    /// Loads the images three times: over the network, from memory, and from disk with a new manager.
    ///
    /// - Parameter requestsAtOrigin: Returns the number of requests for each image, if the server counts them.
    @MainActor
    private func demonstrate(_ urls: [String], requestsAtOrigin: (@Sendable () -> [Int])?) async throws {
        let inputs = try urls.map { try ImageInput($0) }
        let console = Console(style: .defaultStyle(isTerminal: StandardStream.error.canMoveCursor, json: false))
        let mode = graphics.mode()
        let layout = GridLayout(
            count: urls.count, window: .current(of: StandardStream.output.descriptor), mode: mode)
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-demo-\(UUID().uuidString)")
        let removal = ExitActions.shared.add { try? FileManager.default.removeItem(at: folder) }
        defer { ExitActions.shared.run(removal) }
        func makeManager() -> ImageManager { ImageManager { $0.cache = ImageCache(folder: folder) } }

        var report = DemonstrationReport(urls: urls, names: inputs.map(\.name))
        let first = makeManager()
        report.cold = try await runPass(inputs, first, console, layout.box)
        report.memory = try await runPass(inputs, first, console, layout.box)
        report.disk = try await runPass(inputs, makeManager(), console, layout.box)
        report.requestsAtOrigin = requestsAtOrigin?()
        console.clearProgress()
        if mode != .none {
            let cells = report.contents(mode).enumerated().map { GridCell($1, name: report.names[$0], in: layout) }
            for start in stride(from: 0, to: cells.count, by: layout.columns) {
                let row = Array(cells[start...].prefix(layout.columns))
                console.writeDrawing(GridPainter.row(row, in: layout))
            }
        }
        for line in report.lines { console.writeResult(line) }
        for failure in report.failures { console.writeMessage("easel: \(failure.url): \(failure.error)") }
        try console.checkOutput()
        if !report.failures.isEmpty { throw ExitStatus.failed }
    }

    @MainActor
    private func runPass(
        _ inputs: [ImageInput], _ manager: ImageManager, _ console: Console, _ size: PixelSize
    ) async throws -> DemonstrationReport.Pass {
        let started = ContinuousClock.now
        let loads = inputs.map { input in
            let request = ImageRequest(input.url) {
                $0.targetSize = .pixels(size, mode: .aspectFit)
                $0.options = [.waitStoreCache]
                // The disk stores only originals, so that the last pass includes decoding.
                $0.cache.query = .memory
                $0.cache.store = .memory
                $0.retry = .exponential(attempts: 2)
            }
            return Task {
                await Result.catching { () async throws(ImageError) in
                    try await console.withProgress(of: input) { report throws(ImageError) in
                        try await manager.response(for: request, progress: report)
                    }
                }
            }
        }
        return try await withTaskCancellationHandler {
            var results: [Result<ImageResponse, ImageError>] = []
            for load in loads { results.append(await load.value) }
            try Task.checkCancellation()
            return DemonstrationReport.Pass(results: results, total: .now - started)
        } onCancel: {
            for load in loads { load.cancel() }
        }
    }
}

/// The measurements of a demonstration, and their text.
struct DemonstrationReport: Sendable {
    /// One load of every image.
    struct Pass: Sendable {
        var results: [Result<ImageResponse, ImageError>] = []
        /// The time from the first call to the last result.
        var total = Duration.zero
    }

    let urls: [String]
    let names: [String]
    /// The pass over the network.
    var cold = Pass()
    /// The second pass of the same manager.
    var memory = Pass()
    /// The pass of a new manager with the files on disk.
    var disk = Pass()
    /// The number of requests for each image at the server, if it counts them.
    var requestsAtOrigin: [Int]?

    /// Returns the images for a grid.
    func contents(_ mode: GraphicsMode) -> [GridCell.Content] {
        cold.results.map { result in
            switch result {
            case .success(let response): .image(EncodedImage(response.image.pixels, mode, number: nil))
            case .failure(let error): .failure("\(error)")
            }
        }
    }

    var failures: [(url: String, error: ImageError)] {
        zip(urls, cold.results).compactMap { url, result in
            if case .failure(let error) = result { (url, error) } else { nil }
        }
    }

    var lines: [String] {
        var table = Table([
            ("image", .left), ("format", .left), ("pixels", .right), ("bytes", .right), ("cold", .right),
            ("again", .right), ("new manager", .right),
        ])
        for index in names.indices { table.add(row(index)) }
        table.add([
            "all at once", "", "", ByteText.text(byteCount), time(cold.total), time(memory.total), time(disk.total),
        ])
        return table.lines + ["", requests]
    }

    private func row(_ index: Int) -> [String] {
        let response = try? cold.results[index].get()
        let header = response?.image.metadata.header
        return [
            names[index].truncated(to: 32), header?.format.name ?? "failed", header.map { "\($0.size)" } ?? "",
            response?.data.map { ByteText.text($0.count) } ?? "",
        ] + [cold, memory, disk].map { cell($0, index) }
    }

    /// Returns the source of the image and the duration of its load.
    private func cell(_ pass: Pass, _ index: Int) -> String {
        guard let response = try? pass.results[index].get() else { return "" }
        return "\(response.source.rawValue) \(time(response.timeline.total ?? .zero))"
    }

    /// Returns milliseconds with three decimals, because loads from memory are short.
    private func time(_ duration: Duration) -> String {
        let microseconds = Int((duration.milliseconds * 1000).rounded())
        return "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst()) ms"
    }

    private var byteCount: Int { cold.results.reduce(0) { $0 + ((try? $1.get().data?.count) ?? 0) } }

    private var requests: String {
        if let counts = requestsAtOrigin {
            let each = counts.allSatisfy { $0 == 1 } ? ", exactly one per image" : ", not one per image"
            return "Requests to the origin: \(counts.reduce(0, +)) for \(counts.count) images\(each)."
        }
        let sent = [cold, memory, disk].flatMap(\.results).reduce(0) { $0 + ((try? $1.get().timeline.requests) ?? 0) }
        return "Requests sent, including redirects and retries: \(sent) for \(names.count) images."
    }
}
#endif
