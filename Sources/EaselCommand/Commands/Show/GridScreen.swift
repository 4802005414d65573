import EaselCore
import Foundation

/// A scrolling grid that fills the terminal. Performs the actions of `GridState`.
@MainActor
final class GridScreen {
    let session: Session
    let source: GridSource
    let playing: PlayingOptions
    var state: GridState
    /// The state of the cells by index.
    var cells: [Int: Cell] = [:]

    private let inputs: [String]
    private let mailbox = Mailbox<ScreenEvent>()
    private var hold: TerminalHold?
    /// Drives the players of all cells.
    private(set) lazy var ticker = AnimationTicker(TaskAnimationClock(), interval: .seconds(1) / playing.fps)

    /// The state of a cell on the screen.
    struct Cell {
        var image: CellImage?
        /// The task that loads or resizes its image.
        var work: Task<Void, Never>?
        var load: ImageTask?
        var player: AnimationPlayer?
        var error: ImageError?
        /// Whether the image was loaded before, and counted.
        var isCounted = false
    }

    private enum ScreenEvent: Sendable {
        case state(GridState.Event)
        case windowChanged
        case suspended
    }

    init(
        _ inputs: [String], _ session: Session, _ source: GridSource, _ playing: PlayingOptions, columns: Int?
    ) {
        self.inputs = inputs
        self.session = session
        self.source = source
        self.playing = playing
        state = GridState(
            count: inputs.count, window: Self.window, mode: source.mode, columns: columns)
    }

    /// Shows the grid until the user quits.
    ///
    /// - Throws: `CancellationError`, or the exit status if an input failed.
    func run() async throws {
        let signals = [
            Signals.shared.listen(to: SIGWINCH) { [mailbox] in mailbox.post([.windowChanged]) },
            // Restores the shell's screen before ctrl-Z stops the process.
            Signals.shared.listen(to: SIGTSTP) { [mailbox] in mailbox.post([.suspended]) },
        ]
        hold = begin()
        let keyboard = Keyboard(STDIN_FILENO) { [mailbox] keys in mailbox.post(keys.map { .state(.key($0)) }) }
        perform(state.handle([]))
        while !state.hasLeft, let events = await mailbox.next().nonEmpty { take(events) }
        keyboard.stop()
        for signal in signals { Signals.shared.end(signal) }
        for index in cells.keys {
            stop(index)
            // A player must not draw on the main screen.
            cells[index]?.release()
        }
        hold?.end()
        try await finish()
    }

    /// Reports the failures in the order of the inputs.
    private func finish() async throws {
        try Task.checkCancellation()
        for (index, cell) in cells.sorted(by: { $0.key < $1.key }) {
            if let error = cell.error { session.fail(inputs[index], error) }
        }
        await session.manager.finishRefreshes()
        try session.finish()
    }

    // MARK: - Events

    /// Adds an event for a cell whose work ended.
    func post(_ event: GridState.Event) { mailbox.post([.state(event)]) }

    private func take(_ events: [ScreenEvent]) {
        var heard: [GridState.Event] = []
        for event in events {
            if case .suspended = event { suspend() }
            if case .state(let event) = event { heard.append(event) } else { heard.append(.window(Self.window)) }
        }
        perform(state.handle(heard))
    }

    private func perform(_ actions: [GridState.Action]) {
        let drawing = actions.map(text).joined()
        if !drawing.isEmpty { session.console.drawing(GridPainter.atOnce(drawing)) }
        for action in actions { change(action) }
        playWhatIsSeen()
    }

    private func change(_ action: GridState.Action) {
        switch action {
        case .clear, .draw, .drawStatus: break
        case .cancel(let index): stop(index)
        case .release(let index): cells[index]?.release()
        case .load(let index, let box, let priority): load(inputs[index], index, box, priority)
        case .fit(let index, let box): fit(index, box)
        case .prioritize(let index, let priority): cells[index]?.load?.priority = priority
        }
    }

    // MARK: - The terminal

    private static var window: TerminalSize { .current(of: StandardStream.output.descriptor) }

    private func begin() -> TerminalHold {
        let leaving =
            (source.mode == .kitty ? KittyGraphics.deletion : "")
            + "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"
        return TerminalHold(
            // Alternate screen, hidden cursor, and mouse wheel reports.
            .init(
                opening: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?1000h\u{1B}[?1006h", closing: leaving,
                rescue: "\u{1B}\\\u{1B}[?2026l" + leaving),
            rawInput: STDIN_FILENO)
    }

    /// Returns the terminal to the shell until the process continues.
    private func suspend() {
        hold?.end()
        // kill() may stop another thread first, while this one continues for a moment.
        raise(SIGSTOP)
        hold = begin()
    }

    private func text(of action: GridState.Action) -> String {
        switch action {
        case .clear: GridPainter.clear(source.mode)
        case .draw(let index): drawing(of: index)
        case .drawStatus: GridPainter.status(state.status.text, in: state.layout)
        default: ""
        }
    }

    /// Returns the text that draws a cell at its position.
    func drawing(of index: Int) -> String {
        let cell = GridCell(content(of: index), name: GridCell.name(of: inputs[index]), in: state.layout)
        return GridPainter.cell(cell, at: index, top: state.top, in: state.layout)
    }

    private func content(of index: Int) -> GridCell.Content {
        switch state.content(of: index) {
        case .waiting: .waiting
        case .image: cells[index]?.image.map { .image($0.encoded) } ?? .waiting
        case .failure: .failure(cells[index]?.error.map { GridCell.reason($0, of: inputs[index]) } ?? "")
        }
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

extension GridScreen {
    func load(_ input: String, _ index: Int, _ box: PixelSize, _ priority: LoadPriority) {
        let load: ImageTask
        do throws(ImageError) {
            load = start(try ImageInput(input), index, box, priority)
        } catch {
            cells[index, default: Cell()].error = error
            return post(.failed(index, box))
        }
        work(on: index, box, load) { [source, session] () async throws(ImageError) in
            let response = try await session.withinDeadline { () async throws(ImageError) in try await load.response }
            return (try await source.image(response.image, box: box, number: index + 1), response)
        }
    }

    /// Scales down the image of a cell.
    func fit(_ index: Int, _ box: PixelSize) {
        guard let image = cells[index]?.image?.image else { return }
        work(on: index, box, nil) { [source] () async throws(ImageError) in
            (try await source.image(image, box: box, number: index + 1), nil)
        }
    }

    func stop(_ index: Int) {
        cells[index]?.work?.cancel()
        cells[index]?.load?.cancel()
        cells[index]?.endWork()
    }

    private func start(
        _ input: ImageInput, _ index: Int, _ box: PixelSize, _ priority: LoadPriority
    ) -> ImageTask {
        var request = source.request(for: input, box: box, in: session)
        request.priority = priority
        // Refreshes an image only once, not when scrolling back to it.
        if cells[index]?.isCounted == true { request.options.remove(.refreshCached) }
        return session.manager.load(request)
    }

    private func work(
        on index: Int, _ box: PixelSize, _ load: ImageTask?,
        _ body: @escaping @Sendable () async throws(ImageError) -> (CellImage, ImageResponse?)
    ) {
        cells[index, default: Cell()].load = load
        cells[index]?.work = Task {
            let outcome: Result<(CellImage, ImageResponse?), ImageError>
            do throws(ImageError) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            // A cancelled task may have been replaced by another one.
            if !Task.isCancelled { end(index, box, outcome) }
        }
    }

    private func end(
        _ index: Int, _ box: PixelSize, _ outcome: Result<(CellImage, ImageResponse?), ImageError>
    ) {
        cells[index]?.endWork()
        switch outcome {
        case .success((let image, let response)):
            cells[index]?.image = image
            // A running player continues with frames of the new size.
            if let animation = image.image.animation { cells[index]?.player?.replace(animation) }
            if let response, cells[index]?.isCounted == false {
                cells[index]?.isCounted = true
                session.statistics.add(source: response.source, timeline: response.timeline)
            }
            post(.ready(index, box))
        case .failure(let error):
            cells[index]?.error = error
            post(.failed(index, box))
        }
    }
}

extension GridScreen.Cell {
    fileprivate mutating func endWork() {
        work = nil
        load = nil
    }

    @MainActor
    mutating func release() {
        player?.stop()
        player = nil
        image = nil
    }
}

extension GridScreen {
    /// Plays the animations of visible cells and pauses the others.
    func playWhatIsSeen() {
        let visible = state.visible
        for (index, cell) in cells where cell.player != nil || cell.image?.image.animation != nil {
            let isSeen = visible.contains(index) && state.content(of: index) == .image
            if let player = cell.player {
                player.isVisible = isSeen
            } else if isSeen, let animation = cell.image?.image.animation {
                play(animation, in: index)
            }
        }
    }

    private func play(_ animation: Animation, in index: Int) {
        let player = AnimationPlayer(animation, ticker: ticker) { [weak self] frame in
            self?.show(frame.pixels, in: index)
        }
        player.loopLimit = playing.loop
        cells[index]?.player = player
        player.play()
    }

    /// Draws a frame over the previous one. A slow terminal delays the players, which then skip frames.
    private func show(_ pixels: PixelBuffer, in index: Int) {
        guard pixels.size.fits(in: state.layout.box) else { return }
        cells[index]?.image?.encoded = EncodedImage(pixels, source.mode, number: index + 1)
        guard state.visible.contains(index), state.content(of: index) == .image else { return }
        session.console.drawing(GridPainter.atOnce(drawing(of: index)))
    }
}
