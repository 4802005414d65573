#if OriginServer
import Easel
import EaselCore
import Foundation

/// Loads the same images three times: over the network, from memory, and from disk with a new manager.
@MainActor
struct Demonstration {
    private let inputs: [ImageInput]
    private let imageSize: PixelSize
    private let console: Console
    private let folder: URL

    /// Creates a demonstration with a separate cache.
    ///
    /// - Throws: `ImageError.invalidURL` for an invalid URL.
    init(_ urls: [String], imageSize: PixelSize, console: Console) throws(ImageError) {
        var inputs: [ImageInput] = []
        for url in urls { inputs.append(try ImageInput(url)) }
        self.inputs = inputs
        self.imageSize = imageSize
        self.console = console
        folder = FileManager.default.temporaryDirectory.appending(path: "easel-demo-\(UUID().uuidString)")
    }

    /// Loads all images three times.
    ///
    /// - Throws: `CancellationError`.
    func run() async throws -> DemonstrationReport {
        let removal = ExitActions.shared.add { [folder] in try? FileManager.default.removeItem(at: folder) }
        defer { ExitActions.shared.remove(removal) }
        var report = DemonstrationReport(urls: inputs.map(\.text), names: inputs.map(\.name))
        let first = manager()
        report.cold = try await pass(first)
        report.memory = try await pass(first)
        report.disk = try await pass(manager())
        console.clearProgress()
        return report
    }

    func removeCache() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func manager() -> ImageManager {
        ImageManager { $0.cache = ImageCache(folder: folder) }
    }

    /// Loads all images at once.
    private func pass(_ manager: ImageManager) async throws -> DemonstrationReport.Pass {
        let started = ContinuousClock.now
        let results = await withTaskGroup(of: (Int, Result<ImageResponse, ImageError>).self) { group in
            for (index, input) in inputs.enumerated() {
                group.addTask { (index, await load(input, manager)) }
            }
            var results: [Int: Result<ImageResponse, ImageError>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        try Task.checkCancellation()
        return DemonstrationReport.Pass(
            results: inputs.indices.map { results[$0] ?? .failure(.cancelled) }, total: .now - started)
    }

    private func load(_ input: ImageInput, _ manager: ImageManager) async -> Result<ImageResponse, ImageError> {
        let request = ImageRequest(input.url) {
            $0.targetSize = .pixels(imageSize, mode: .aspectFit)
            $0.options = [.waitStoreCache]
            // The disk stores only originals, so that the last pass includes decoding.
            $0.cache.query = .memory
            $0.cache.store = .memory
            $0.retry = .exponential(attempts: 2)
        }
        do throws(ImageError) {
            return .success(
                try await console.showingProgress(of: input) { report throws(ImageError) in
                    try await manager.response(for: request, progress: report)
                })
        } catch {
            return .failure(error)
        }
    }
}

/// The measurements of a demonstration, and their text.
struct DemonstrationReport: Sendable {
    /// One load of every image.
    struct Pass: Sendable {
        /// The results in the order of the images.
        var results: [Result<ImageResponse, ImageError>] = []
        /// The time from the first call to the last result.
        var total = Duration.zero
    }

    /// The URLs as the user wrote them.
    let urls: [String]
    /// The names for display.
    let names: [String]
    /// The pass over the network.
    var cold = Pass()
    /// The second pass of the same manager.
    var memory = Pass()
    /// The pass of a new manager with the files on disk.
    var disk = Pass()
    /// The number of requests for each image at the server, if it counts them.
    var requestsAtOrigin: [Int]?

    init(urls: [String], names: [String]) {
        self.urls = urls
        self.names = names
    }

    /// The loaded images.
    var images: [PixelBuffer] { cold.results.compactMap { try? $0.get().image.pixels } }

    /// The failures with their errors.
    var failures: [(url: String, error: ImageError)] {
        zip(urls, cold.results).compactMap { url, result in
            if case .failure(let error) = result { (url, error) } else { nil }
        }
    }

    /// The table and the totals.
    var lines: [String] {
        var table = Table([
            ("image", .left), ("format", .left), ("pixels", .right), ("bytes", .right), ("cold", .right),
            ("again", .right), ("new manager", .right),
        ])
        for index in names.indices { table.add(row(index)) }
        table.add([
            "all at once", "", "", ByteCount.text(byteCount), time(cold.total), time(memory.total), time(disk.total),
        ])
        return table.lines + ["", requests]
    }

    private func row(_ index: Int) -> [String] {
        let response = cold.results.indices.contains(index) ? try? cold.results[index].get() : nil
        let header = response?.image.metadata.header
        return [
            names[index].truncated(to: 32), header?.format.name ?? "failed", header.map { "\($0.size)" } ?? "",
            response?.data.map { ByteCount.text($0.count) } ?? "",
        ] + [cold, memory, disk].map { cell($0, index) }
    }

    /// Returns the source of the image and the duration of its load.
    private func cell(_ pass: Pass, _ index: Int) -> String {
        guard pass.results.indices.contains(index), let response = try? pass.results[index].get() else { return "" }
        return "\(response.source.rawValue) \(time(response.timeline.total ?? .zero))"
    }

    /// Returns milliseconds with three decimals, because loads from memory are short.
    private func time(_ duration: Duration) -> String {
        let microseconds = Int((duration.milliseconds * 1000).rounded())
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction + " ms"
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
