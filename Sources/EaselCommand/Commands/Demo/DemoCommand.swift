#if OriginServer
import ArgumentParser
import EaselCore
import EaselTesting
import Foundation

/// `easel demo`.
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
        if urls.isEmpty {
            let origin = try await OriginServer.start { $0.serve(folder: Samples.folder) }
            let paths = try Samples.names().map { "/" + $0 }
            try await demonstrate(paths.map { origin.url($0).absoluteString }) {
                paths.map { origin.requests(for: $0).count }
            }
            await origin.stop()
        } else {
            try await demonstrate(urls, requestsAtOrigin: nil)
        }
    }

    /// - Parameter requestsAtOrigin: Returns the number of requests for each image, if the server counts them.
    @MainActor
    private func demonstrate(_ urls: [String], requestsAtOrigin: (@Sendable () -> [Int])?) async throws {
        let console = Console(style: .usual(isTerminal: StandardStream.error.canMoveCursor, json: false))
        let mode = graphics.mode()
        let window = TerminalSize.current(of: StandardStream.output.descriptor)
        // Leave space for the table, but keep the images large enough to recognise.
        let rows = max(12, window.rows - urls.count - 6)
        let sheet = ContactSheet(
            count: urls.count,
            canvas: mode.canvas(in: TerminalSize(columns: window.columns, rows: rows, cell: window.cell)),
            gap: 2)
        let demonstration = try Demonstration(urls, imageSize: sheet.cell, console: console)
        defer { demonstration.removeCache() }
        var report = try await demonstration.run()
        report.requestsAtOrigin = requestsAtOrigin?()
        console.drawing(mode.draw(try sheet.compose(report.images)))
        for line in report.lines { console.result(line) }
        for failure in report.failures { console.message("easel: \(failure.url): \(failure.error)") }
        try console.checkOutput()
        if !report.failures.isEmpty { throw ExitStatus.failed }
    }
}

private enum Samples {
    static var folder: String { Bundle.module.bundlePath + "/Samples" }

    /// Returns the file names, sorted.
    static func names() throws(ImageError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .unreadable(path: folder, reason: "the samples are missing next to the command")
        }
        return names.filter { !$0.hasSuffix(".md") && !$0.hasPrefix(".") }.sorted()
    }
}
#endif
