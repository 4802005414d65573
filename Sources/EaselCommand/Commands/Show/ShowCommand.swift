import ArgumentParser
import EaselCore
import Foundation

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Draw images in the terminal.",
        discussion: """
            Example: easel show photo.jpg https://example.org/a.webp

            Images are scaled to fit the window. They are drawn with kitty graphics or sixel if the terminal supports \
            them, otherwise as half blocks in 24-bit colour. To a file or a pipe, one line of text is printed per image.

            A single animation is played as often as its file specifies, or until ctrl-C, and follows the window's size.

            With --grid, images are drawn side by side, scaled to their cells. In a terminal the grid fills the screen; \
            visible images are loaded and animated. Arrow keys, j and k, the mouse wheel, space and b, page up and page \
            down, home and end scroll. q, Escape and ctrl-C quit. To a file or a pipe, and without a keyboard, all rows \
            are printed in order; ▶ marks the first frame of an animation.
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var graphics: GraphicsOptions
    @OptionGroup var layout: GridOptions
    @OptionGroup var playing: PlayingOptions
    @OptionGroup var loading: LoadingOptions

    @Option(help: ArgumentHelp("Draw only this frame of an animation, counted from 0.", valueName: "number"))
    var frame: Int?

    @Flag(help: "Print the stages, requests, redirects and retries of each load.")
    var trace = false

    func validate() throws {
        if let frame, frame < 0 { throw ValidationError("--frame must be 0 or more.") }
        if trace, layout.grid { throw ValidationError("--trace cannot be used with --grid.") }
    }

    func run() async throws { try await show(input.readAll()) }

    @MainActor
    private func show(_ inputs: [String]) async throws {
        let session = try await Session(loading, tracing: trace)
        let mode = loading.json ? .none : graphics.mode()
        if layout.grid, mode != .none { return try await showGrid(inputs, mode, session) }
        let window = TerminalSize.current(of: StandardStream.output.descriptor)
        let canvas = mode.canvas(in: window)
        // An endless animation must not fill a file or a pipe.
        let plays =
            inputs.count == 1 && frame == nil && mode != .none
            && (StandardStream.output.isTerminal || playing.loop ?? 0 > 0)
        try await session.run(inputs) { (input) async throws(ImageError) in
            try await session.draw(input, mode, canvas: canvas, frame: frame ?? 0, plays: plays)
        } deliver: { (delivery) async throws(ImageError) in
            let drawing = delivery.value
            var record = drawing.record
            record.input = delivery.input
            session.count(delivery, source: record.source, timeline: drawing.timeline)
            if loading.json {
                session.console.writeResult(record.json.text)
            } else {
                session.console.writeDrawing(drawing.text)
                if let animation = drawing.animation { await session.play(animation, mode, playing) }
                session.console.writeResult(mode == .none ? record.text : record.text.truncated(to: window.columns))
            }
            session.showTrace(of: try ImageInput(delivery.input), drawing.timeline.summary(from: record.source))
        }
    }
}

extension ShowCommand {
    /// Shows a scrolling grid if there is a keyboard, otherwise prints all rows.
    @MainActor
    private func showGrid(_ inputs: [String], _ mode: GraphicsMode, _ session: Session) async throws {
        // Standard input that provides an image cannot provide keys.
        let isInteractive =
            StandardStream.output.isTerminal && isatty(STDIN_FILENO) == 1 && !inputs.contains("-") && !inputs.isEmpty
        let source = GridSource(mode: mode, frame: frame ?? 0, plays: isInteractive && frame == nil)
        if isInteractive {
            try await GridScreen(inputs, session, source, playing, columns: layout.columns).run()
        } else {
            try await session.drawRows(inputs, source, columns: layout.columns)
        }
    }
}

struct GraphicsOptions: ParsableArguments {
    enum Choice: String, ExpressibleByArgument, CaseIterable {
        case auto, kitty, sixel, blocks, none
    }

    @Option(help: ArgumentHelp("Graphics mode. auto detects what the terminal supports.", valueName: "mode"))
    var graphics = Choice.auto

    /// Returns the mode. It may query the terminal, and blocks until the reply.
    @MainActor
    func mode(environment: [String: String] = ProcessInfo.processInfo.environment) -> GraphicsMode {
        if let mode = GraphicsMode(rawValue: graphics.rawValue) { return mode }
        return .best(
            isTerminal: StandardStream.output.isTerminal, environment: environment,
            capabilities: TerminalQuery().capabilities(environment: environment))
    }
}

extension LoadTimeline {
    /// Returns the duration of the load and the source of its image.
    fileprivate func summary(from source: ImageSource) -> String {
        let time = total.map { "\($0.millisecondsText) ms, " } ?? ""
        return "\(time)from \(source.rawValue)\(isCoalesced ? ", shared with another load" : "")"
    }
}

private struct Drawing: Sendable {
    var text: String
    /// The animation to play instead of `text`.
    var animation: Animation?
    var record: InfoRecord
    var timeline: LoadTimeline
}

extension Session {
    fileprivate func draw(
        _ input: ImageInput, _ mode: GraphicsMode, canvas: PixelSize, frame: Int, plays: Bool
    ) async throws(ImageError) -> Drawing {
        let request = request(for: input) {
            $0.frame = frame
            $0.targetSize = .pixels(canvas, mode: .aspectFit)
            if !plays { $0.options.insert(.decodeFirstFrameOnly) }
        }
        return try await withProgress(of: input) { [manager] report throws(ImageError) in
            let response = try await manager.response(for: request, progress: report)
            guard let header = response.image.metadata.header else { throw .badData("The image has no header.") }
            let record = InfoRecord(
                input: input.text, header: header, byteCount: response.data?.count ?? 0, source: response.source)
            if let animation = response.image.animation {
                return Drawing(text: "", animation: animation, record: record, timeline: response.timeline)
            }
            return try await WorkerPool.pixels.run { () throws(ImageError) in
                Drawing(text: mode.draw(response.image.pixels), record: record, timeline: response.timeline)
            }
        }
    }
}

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
            console.writeDrawing(GridPainter.row(row, in: layout))
            row = []
        }
        try await run(inputs) { (input) async throws(ImageError) in
            try await self.draw(input, source, in: layout)
        } deliver: { (delivery) async throws(ImageError) in
            let drawn = delivery.value
            count(delivery, source: drawn.source, timeline: drawn.timeline)
            add(drawn.cell, delivery.index)
        } failed: { input, index, error in
            add(GridCell(.failure(error.message(for: input)), name: GridCell.name(of: input), in: layout), index)
        }
    }

    private func draw(
        _ input: ImageInput, _ source: GridSource, in layout: GridLayout
    ) async throws(ImageError) -> (cell: GridCell, source: ImageSource, timeline: LoadTimeline) {
        let request = source.request(for: input, box: layout.box, in: self)
        return try await withProgress(of: input) { [manager] report throws(ImageError) in
            let response = try await manager.response(for: request, progress: report)
            let image = try await source.image(response.image, box: layout.box, number: nil)
            let isAnimation = response.image.metadata.header.map { $0.frameCount > 1 } ?? false
            let name = isAnimation && request.frame == 0 ? "▶ " + input.name : input.name
            return (GridCell(.image(image.encoded), name: name, in: layout), response.source, response.timeline)
        }
    }
}
