#if OriginServer
import Easel
import EaselCore
import Foundation

/// Loads the same pictures three times: over the network, then from memory, then from disk by a manager that has just
/// begun.
@MainActor
struct Demonstration {
    private let inputs: [ImageInput]
    private let pictureSize: PixelSize
    private let console: Console
    private let folder: URL

    /// A demonstration with a cache of its own.
    ///
    /// - Throws: `ImageError.invalidURL` for a URL that is none.
    init(_ urls: [String], pictureSize: PixelSize, console: Console) throws(ImageError) {
        var inputs: [ImageInput] = []
        for url in urls { inputs.append(try ImageInput(url)) }
        self.inputs = inputs
        self.pictureSize = pictureSize
        self.console = console
        folder = FileManager.default.temporaryDirectory.appending(path: "easel-demo-\(UUID().uuidString)")
    }

    /// Loads everything three times.
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

    /// Removes the cache.
    func removeCache() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func manager() -> ImageManager {
        ImageManager { $0.cache = ImageCache(folder: folder) }
    }

    /// Loads everything at once.
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
            $0.targetSize = .pixels(pictureSize, mode: .aspectFit)
            $0.options = [.waitStoreCache]
            // On disk only the originals, so that the last pass shows what decoding them costs.
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
#endif
