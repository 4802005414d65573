import ArgumentParser
import EaselCore

/// The layout options of a grid.
struct GridOptions: ParsableArguments {
    @Flag(help: "Draw images in a grid, each with its name below.")
    var grid = false

    @Option(help: ArgumentHelp("With --grid, the number of columns.", valueName: "count"))
    var columns: Int?

    func validate() throws {
        guard let columns else { return }
        if !grid { throw ValidationError("--columns requires --grid.") }
        if columns < 1 { throw ValidationError("--columns must be 1 or more.") }
    }
}

extension Session {
    /// Prints a grid without scrolling, each row when all of its images are loaded.
    ///
    /// - Throws: `CancellationError`, or the exit status if an input failed.
    func drawRows(_ inputs: [String], _ source: GridSource, columns: Int?) async throws {
        let layout = GridLayout(
            count: inputs.count, window: .current(of: StandardStream.output.descriptor), mode: source.mode,
            columns: columns)
        var row: [GridCell] = []
        func add(_ cell: GridCell, _ index: Int) {
            row.append(cell)
            guard index % layout.columns == 0 || index == inputs.count else { return }
            console.drawing(GridPainter.row(row, in: layout))
            row = []
        }
        try await run(inputs) { (input) async throws(ImageError) in
            try await self.draw(input, source, in: layout)
        } deliver: { (delivery) async throws(ImageError) in
            let drawn = delivery.value
            count(delivery, source: drawn.source, timeline: drawn.timeline)
            add(drawn.cell, delivery.index)
        } failed: { input, index, error in
            add(
                GridCell(.failure(GridCell.reason(error, of: input)), name: GridCell.name(of: input), in: layout), index
            )
        }
    }

    private func draw(
        _ input: ImageInput, _ source: GridSource, in layout: GridLayout
    ) async throws(ImageError) -> DrawnCell {
        let request = source.request(for: input, box: layout.box, in: self)
        return try await loading(input) { [manager] report throws(ImageError) in
            let response = try await manager.response(for: request, progress: report)
            let image = try await source.image(response.image, box: layout.box, number: nil)
            let isAnimation = response.image.metadata.header.map { $0.frameCount > 1 } ?? false
            let name = isAnimation && request.frame == 0 ? "▶ " + input.name : input.name
            return DrawnCell(
                cell: GridCell(.image(image.encoded), name: name, in: layout), source: response.source,
                timeline: response.timeline)
        }
    }
}

/// A cell that is ready to draw, with details of its load.
private struct DrawnCell: Sendable {
    var cell: GridCell
    var source: ImageSource
    var timeline: LoadTimeline
}
